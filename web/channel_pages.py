"""Channels as the pages of settings show them: state, trouble and rules in words."""

import re
from dataclasses import dataclass

from engine.core.flow import SECOND, Millis
from engine.core.identity import display
from engine.core.sparing import manners
from engine.services.channel_traffic import Traffic, has_window
from engine.services.channels import ChannelRecord
from engine.services.number_check import Number, can_check
from engine.services.pairing import can_pair
from web.connection_names import kind_name
from web.desk_words import brief
from web.i18n import gettext, ngettext
from web.link_words import trouble_words
from web.words import ago
from web.words import number as in_figures

__all__ = ["Chip", "Fact", "ShownChannel", "checked_words", "shown_channel"]

PHONE = "phone"


@dataclass(frozen=True, slots=True)
class Chip:
    """A state in few words, with its tone and its icon."""

    tone: str
    icon: str
    text: str


@dataclass(frozen=True, slots=True)
class Fact:
    """One of the figures of a card; `tone` is a class of the words."""

    label: str
    text: str
    tone: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownChannel:
    """A channel in the list and at the head of its own page. `trouble` and `safe` say what is wrong and what is not,
    `pairs` is where a code is read to connect it.
    """

    id: int
    kind: str
    name: str
    sub: str
    chip: Chip
    facts: tuple[Fact, ...]
    address: str
    phone: str
    trouble: str = ""
    safe: str = ""
    pairs: str = ""
    checks: bool = False


def shown_channel(record: ChannelRecord, traffic: Traffic, now: Millis, site: str, flow: str) -> ShownChannel:
    """A channel in the current language. `site` is where the pages are, `flow` the title of the flow of newcomers."""
    digits = record.config.settings.get("number", "")
    kind, spelled = record.config.kind, display(digits) if digits else ""
    lost = record.state != "ok"
    return ShownChannel(
        id=record.id,
        kind=kind,
        name=record.config.name,
        sub=" · ".join(part for part in (spelled, kind_name(kind)) if part),
        chip=_chip(record, traffic, now),
        facts=_facts(record, traffic, now, flow),
        address="" if kind == PHONE else f"{site}/hooks/wa/{record.token}",
        phone=f"/phone/{record.token}" if kind == PHONE else "",
        trouble=trouble_words(record.state) if lost else "",
        pairs=f"/settings/channels/{record.id}/pair" if can_pair(kind) else "",
        safe=_safe(traffic.waiting) if lost else "",
        checks=can_check(kind),
    )


def checked_words(number: Number) -> Chip:
    """What the platform said of a number, as a sentence; it is a warning where its quality is not high."""
    quality = {
        "GREEN": gettext("Its quality is high."),
        "YELLOW": gettext("Its quality is medium: customers block or report some of its messages."),
        "RED": gettext("Its quality is low: Meta may restrict it."),
    }.get(number.quality, "")
    people = re.fullmatch(r"TIER_(\d+)(K?)", number.limit)
    limit = ""
    if people is not None:
        most = int(people[1]) * (1_000 if people[2] else 1)
        limit = gettext("It may write first to %(num)s people a day.") % {"num": in_figures(most)}
    elif number.limit == "TIER_UNLIMITED":
        limit = gettext("It may write first to as many people a day as it likes.")
    who = " · ".join(part for part in (number.phone, number.name) if part)
    said = " ".join(
        part for part in (gettext("Meta answers for %(number)s.") % {"number": who}, quality, limit) if part
    )
    return Chip("warn", "alert", said) if number.quality in ("YELLOW", "RED") else Chip("ok", "okc", said)


def _chip(record: ChannelRecord, traffic: Traffic, now: Millis) -> Chip:
    if record.state == "connecting":
        since = brief(now - record.state_at)
        return Chip("warn", "refresh", gettext("Connecting for %(time)s") % {"time": since})
    if record.state != "ok":
        since = brief(now - record.state_at)
        return Chip("err", "alert", gettext("Out of service for %(time)s") % {"time": since})
    if record.config.kind == PHONE:
        return Chip("info", "phone", gettext("For tests"))
    if traffic.last_in is None and traffic.last_out is None:
        return Chip("", "clock", gettext("Nothing received yet"))
    return Chip("ok", "okc", gettext("Connected"))


def _facts(record: ChannelRecord, traffic: Traffic, now: Millis, flow: str) -> tuple[Fact, ...]:
    came = ago(traffic.last_in, now) if traffic.last_in is not None else gettext("none recently")
    left = ago(traffic.last_out, now) if traffic.last_out is not None else gettext("none recently")
    facts = [
        Fact(gettext("Last message received"), came),
        Fact(gettext("Last message sent"), left),
        Fact(gettext("Newcomers enter"), flow),
        *_rules(record),
    ]
    if traffic.refused:
        text = ngettext("%(num)s notice", "%(num)s notices", traffic.refused) % {"num": in_figures(traffic.refused)}
        facts.append(Fact(gettext("Refused in 24 h, without proof"), text, "iw"))
    return tuple(facts)


def _rules(record: ChannelRecord) -> tuple[Fact, ...]:
    """What differs most between channels: the rule of the platform, or the risk of having none and how it is met."""
    if has_window(record.config.kind):
        return (Fact(gettext("After 24 h without an answer"), gettext("approved templates only")),)
    if record.config.kind == PHONE:
        return (Fact(gettext("24 h rule"), gettext("does not apply")),)
    return (Fact(gettext("Risk"), gettext("reports and blocks: ban"), "iw"), _pace(record))


def _pace(record: ChannelRecord) -> Fact:
    how, label = manners(record.config.settings), gettext("Pace of what nobody asked for")
    if how is None:
        return Fact(label, gettext("no limit: the risk is yours"), "iw")
    told = {"gap": how.gap // SECOND, "most": (how.gap + how.jitter) // SECOND, "strangers": how.strangers_daily}
    return Fact(label, gettext("every %(gap)s to %(most)s s, to %(strangers)s strangers a day") % told)


def _safe(waiting: int) -> str:
    """What happens to what cannot leave now."""
    kept = gettext("Messages wait and leave when it is connected again.")
    if not waiting:
        return kept
    words = ngettext("%(num)s waits now.", "%(num)s wait now.", waiting) % {"num": in_figures(waiting)}
    return f"{kept} {words}"
