"""The live desk in words: short durations, phones by role, people, and why something was done or not done."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from babel.dates import format_date, format_datetime
from babel.numbers import format_currency

from engine.core.flow import DAY, HOUR, MINUTE, SECOND, Millis
from engine.core.identity import display, mask
from engine.core.spoofing import revealed
from web import i18n
from web.i18n import gettext, ngettext
from web.words import HOME

__all__ = [
    "asks", "brief", "called", "day", "emailed", "media", "moment_of", "money", "named", "needs", "phoned", "precisely", "reason",
    "who",
]  # fmt: skip


def brief(ms: Millis) -> str:
    """A duration as short as a card needs it: 12 s, 3 min, 1 h 52, 19 h, 3 d."""
    past = max(0, ms)
    if past < MINUTE:
        return f"{past // SECOND} s"
    if past < HOUR:
        return f"{past // MINUTE} min"
    if past < 12 * HOUR:
        minutes = past % HOUR // MINUTE
        return f"{past // HOUR} h {minutes:02d}" if minutes else f"{past // HOUR} h"
    return f"{past // DAY} d" if past >= 2 * DAY or past % DAY == 0 else f"{past // HOUR} h"


def precisely(at: Millis, zone: str = HOME) -> str:
    """A time of the day to the second: 14:32:07."""
    return datetime.fromtimestamp(at / 1000, UTC).astimezone(ZoneInfo(zone)).strftime("%H:%M:%S")


def day(at: Millis, now: Millis, zone: str = HOME) -> str:
    """The heading of a day in a transcript: “today, 27 November”."""
    here, locale = ZoneInfo(zone), i18n.current().replace("-", "_")
    when = datetime.fromtimestamp(at / 1000, UTC).astimezone(here).date()
    today = datetime.fromtimestamp(now / 1000, UTC).astimezone(here).date()
    pattern = "d 'de' MMMM" if locale.startswith("pt") else "d MMMM"
    if when.year != today.year:
        return str(format_date(when, "long", locale=locale))
    said = str(format_date(when, pattern, locale=locale))
    return gettext("today, %(day)s") % {"day": said} if when == today else said


def moment_of(at: Millis, now: Millis, zone: str = HOME) -> str:
    """14:32 for the last day and what is left of this one, with the day before it for anything else."""
    when, locale = datetime.fromtimestamp(at / 1000, UTC), i18n.current().replace("-", "_")
    today = datetime.fromtimestamp(now / 1000, ZoneInfo(zone)).date()
    near = now - at < DAY if at <= now else when.astimezone(ZoneInfo(zone)).date() == today
    pattern = "HH:mm" if near else "d MMM, HH:mm"
    return str(format_datetime(when, pattern, tzinfo=ZoneInfo(zone), locale=locale))


def money(cents: int) -> str:
    """R$ 297,00."""
    return str(format_currency(cents / 100, "BRL", locale=i18n.current().replace("-", "_")))


def phoned(phone: str | None, *, whole: bool) -> str:
    """A phone, its middle hidden from those who may not see it; "" for none."""
    if not phone:
        return ""
    return display(phone) if whole else mask(phone)


def emailed(address: str | None, *, whole: bool) -> str:
    """An e-mail address; of a hidden one the first letter and the domain stay."""
    if not address or whole:
        return address or ""
    name, at, domain = address.partition("@")
    return f"{name[:1]}•••{at}{domain}"


def named(kind: str) -> str:
    """A kind of name by which a person is known."""
    return {
        "phone": gettext("phone"),
        "email": gettext("e-mail"),
        "lid": "LID",
        "bsuid": "WhatsApp",
        "reference": gettext("tracking code"),
    }.get(kind, kind)


def called(name: str | None, phone: str | None, *, whole: bool) -> str:
    """What a person is called: the name, with what is hidden in it shown, else the phone."""
    return revealed((name or "").strip()) or phoned(phone, whole=whole) or gettext("Without a name")


def who(author: str | None) -> str:
    """Who of our side did something, short enough for a chip."""
    known = {
        None: gettext("the bot"),
        "phone": gettext("by phone"),
        "flow": gettext("the flow"),
    }
    return known[author] if author in known else str(author).partition("@")[0]


def media(kind: str | None) -> str:
    """A message that is no text, "" for a text."""
    return {
        None: "",
        "text": "",
        "audio": gettext("audio"),
        "image": gettext("picture"),
        "video": gettext("video"),
        "document": gettext("document"),
        "sticker": gettext("sticker"),
        "location": gettext("location"),
        "contacts": gettext("contact card"),
        "order": gettext("order"),
        "button": "",
        "list": "",
        "unavailable": gettext("content that the platform did not deliver"),
    }.get(kind, gettext("something that Trilho cannot show"))


def asks(attention: str | None) -> str:
    """Why a conversation needs a person, short enough for a chip; "" when it needs nobody."""
    return {
        None: "",
        "send_failed": gettext("failed"),
        "send_unknown": gettext("did it arrive?"),
        "not_confirmed": gettext("not confirmed"),
        "window_closed_no_template": gettext("outside 24 h"),
        "not_available": gettext("action missing"),
        "asked_for_person": gettext("wants a person"),
        "approval_expired": gettext("approval expired"),
        "not_what_was_approved": gettext("not as approved"),
        "two_transitions": gettext("two arrows"),
        "loop": gettext("a robot?"),
        "held": gettext("message held"),
    }.get(attention, gettext("needs you"))


def needs(name: str, count: int) -> str:
    """A group of those that need a person, after its number."""
    return {
        "approval": ngettext("to approve", "to approve", count),
        "late": ngettext("late", "late", count),
        "failed": ngettext("send failed", "sends failed", count),
        "review": ngettext("send to look at", "sends to look at", count),
        "person": ngettext("asked for a person", "asked for a person", count),
        "ambiguous": ngettext("with two arrows", "with two arrows", count),
        "robot": ngettext("seems to be a robot", "seem to be robots", count),
        "held": ngettext("with a held message", "with held messages", count),
        "pairs": ngettext("doubt: one person or two", "doubts: one person or two", count),
        "strays": ngettext("payment without a person", "payments without a person", count),
    }[name]


def reason(code: str | None) -> str:
    """Why something was done, not done or done differently, as the end of a sentence; "" when there is nothing to say."""
    known = {
        None: "",
        "paused": gettext("the bot was paused"),
        "not_what_was_approved": gettext("it was not what a person had approved"),
        "opt_out": gettext("the customer asked for no more messages"),
        "quiet_hours": gettext("it was night: it leaves when the quiet hours end"),
        "channel_down": gettext("the number is not connected: it leaves when it is again"),
        "spared": gettext("the number is spared: messages leave one by one"),
        "working_hours": gettext("the number does not write at this hour"),
        "contact_gap": gettext("the customer got another message a moment ago"),
        "contact_daily": gettext("the customer got enough messages in the last 24 h"),
        "strangers_daily": gettext("the number wrote to enough new people today"),
        "window_closed_no_template": gettext(
            "more than 24 h had passed since the customer's last message and there is no approved template"
        ),
        "state_changed": gettext("something newer made it wrong"),
        "sending_stopped": gettext("all sending was stopped, and something newer was said when it went on"),
        "no_channel": gettext("its channel does not exist any more"),
        "dropped_by_person": gettext("a person chose not to send it"),
        "given_back": gettext("a person gave the conversation back to the bot"),
        "cancelled_by_person": gettext("a person took it back"),
        "moved_by_person": gettext("a person moved it"),
        "file_gone": gettext("its file is not there any more"),
        "said_by_person": gettext("a person said that it arrived"),
        "again_by_person": gettext("a person had it sent again"),
        "sender_lost": gettext("the program stopped in the middle of sending"),
        "unknown_outcome": gettext("the channel never answered"),
        "answer_lost": gettext("the channel's answer got lost"),
        "attempts": gettext("the channel refused it five times"),
        "not_delivered": gettext("the platform could not deliver it"),
        "retry": gettext("the channel asked to try again later"),
        "window": gettext("the 24 h window was closed"),
        "stop_marketing": gettext("the customer stopped messages on WhatsApp"),
        "contact": gettext("the number does not take messages"),
        "template": gettext("the template was not accepted"),
        "account": gettext("the channel's account has a problem"),
        "account_held": gettext("the channel's account has a problem: it leaves when that is mended"),
        "template_off": gettext("the template is switched off"),
        "template_held": gettext("the template is switched off: it leaves when the platform takes it again"),
        "marketing_limit": gettext("WhatsApp spares this customer from offers"),
        "marketing_held": gettext("WhatsApp spares this customer from offers for a day"),
        "pair_rate": gettext("WhatsApp takes only so many messages a minute to one customer"),
        "throughput": gettext("WhatsApp takes only so many messages a second from one number"),
        "paced": gettext("it waits for its place in the line of this number"),
        "paced_again": gettext("it waits for its place in the line of this number"),
        "resend": gettext("the platform could not deliver it: it goes again"),
        "hold_over": gettext("the channel takes messages again"),
        "content": gettext("the channel does not take this content"),
        "rate": gettext("the channel asked for fewer messages"),
        "server": gettext("the channel had a failure"),
        "too_old": gettext("it arrived too late to be answered"),
        "empty_message": gettext("there was nothing to read in it"),
        "by_flow": gettext("the flow says so"),
        "two_transitions": gettext("two arrows could fire"),
        "loop": gettext("it seems to be a robot that answers by itself"),
        "send_failed": gettext("a message could not be sent"),
        "send_unknown": gettext("nobody knows whether a message arrived"),
        "not_confirmed": gettext("nobody confirmed that a message arrived"),
        "overdue": gettext("it took too long"),
        "held": gettext("the pause ended and a message is still held back"),
        "already_done": gettext("it was done before"),
        "channel_button": gettext("the customer used the button of the channel"),
        "platform": gettext("the platform said so"),
        "supervisor": gettext("a person did it"),
        "resend_as_template": gettext("it goes again as a template"),
        "send_settled": gettext("later news settled it"),
        "seen_by_person": gettext("a person looked at it"),
        "pause_over": gettext("the pause ended"),
        "new_version": gettext("a new version was published"),
        "moved_by_publication": gettext("its state went away with a new version"),
        "deadline_anew": gettext("its deadline counts again since a new version"),
        "taken_back": gettext("a publication was taken back"),
        "opened": gettext("the conversation began"),
        "notify": gettext("the flow asked for a person"),
        "action_not_available": gettext("this version cannot do the action yet"),
        "older_status": gettext("newer news were known already"),
        "reaction": gettext("it was a reaction"),
        "followed": gettext("the talk goes on in another conversation"),
        "follows": gettext("it goes on from another conversation"),
        "merged": gettext("two contacts turned out to be one person"),
        "told_apart": gettext("a person said that they are two people"),
        "tied_by_person": gettext("a person tied the payment"),
        "campaign": gettext("a campaign"),
        "campaign_paused": gettext("its campaign stands still"),
        "campaign_stopped": gettext("its campaign was stopped"),
    }
    return known.get(code, gettext("reason %(code)s") % {"code": code})
