"""Why the bot says nothing right now, and what would make it speak: the standing answer to a silence (R29)."""

from collections.abc import Iterator

from engine.core.flow import StateKind
from engine.services.transcript import Page
from web.desk_words import brief, moment_of, precisely, reason, who
from web.i18n import gettext, ngettext
from web.talk_words import fate
from web.why_steps import Chain, Step

__all__ = ["NOW", "standing"]

NOW = "now"
"""How an address asks for it."""


def standing(page: Page) -> Chain:
    """Everything that keeps the bot quiet, the strongest first, and the moment at which it would speak by itself."""
    return Chain(
        title=gettext("Why is the bot quiet now?"),
        text=page.state,
        when=precisely(page.now, page.flow.timezone),
        steps=(*_stopped(page), *_waiting(page), *_next(page)),
    )


def _stopped(page: Page) -> Iterator[Step]:
    if page.followed_by == page.id:
        yield Step(icon="lock", tone="warn", title=gettext("The person was erased: nothing goes on here"))
    elif page.followed_by is not None:
        title = gettext("The talk goes on in another conversation of the same person")
        link = f"/conversations/{page.followed_by}"
        yield Step(icon="right", tone="warn", title=title, link=link, link_text=gettext("open it"))
    if page.paused_until is not None:
        values = {
            "who": who(page.paused_by),
            "when": moment_of(page.paused_until, page.now, page.flow.timezone),
            "time": brief(page.paused_until - page.now),
        }
        yield Step(
            icon="pause",
            tone="warn",
            title=gettext("%(who)s holds the chat") % values,
            detail=gettext("until %(when)s, in %(time)s; the silence clock stands still") % values,
            link=f"/conversations/{page.id}?tab=hand",
            link_text=gettext("give it back"),
        )
    if page.opted_out_at is not None:
        title = gettext("The customer asked for no more messages")
        yield Step(
            icon="ban", tone="warn", title=title, detail=gettext("only answers to the customer's own words leave")
        )
    if page.channel_state not in (None, "ok"):
        yield Step(icon="alert", tone="err", title=gettext("The channel sends nothing now"), detail=page.channel or "")
    if page.attention is not None:
        title = gettext("It waits for a person: %(why)s") % {"why": reason(page.attention)}
        yield Step(icon="hand", tone="warn", title=title)


def _waiting(page: Page) -> Iterator[Step]:
    if page.writing:
        yield Step(icon="wave", title=gettext("The customer is writing: the bot waits for the end of it"))
    if page.held:
        count = len(page.held)
        title = ngettext("%(num)s message is held back", "%(num)s messages are held back", count) % {"num": count}
        link = f"/conversations/{page.id}?tab=hand"
        yield Step(icon="inbox", tone="warn", title=title, link=link, link_text=gettext("decide about it"))
    for letter in page.letters:
        if letter["status"] in ("pending", "sending", "uncertain", "review", "failed"):
            link = f"/conversations/{page.id}?tab=why&msg=out-{letter['id']}"
            yield Step(icon="send", title=fate(page, letter), link=link, link_text=gettext("why?"))
    heard = next((line for line in reversed(page.lines) if line.kind == "in"), None)
    if heard is not None and heard.status == "ignored":
        title = gettext("The last message was not answered: %(why)s") % {"why": reason(heard.reason)}
        link = f"/conversations/{page.id}?tab=why&msg={heard.ref}"
        yield Step(icon="x", tone="warn", title=title, link=link, link_text=gettext("why?"))


def _next(page: Page) -> Iterator[Step]:
    """What would end the silence."""
    state = page.flow.states.get(page.state)
    if page.deadline_at is not None and page.paused_until is None:
        values = {
            "when": moment_of(page.deadline_at, page.now, page.flow.timezone),
            "time": brief(abs(page.deadline_at - page.now)),
        }
        late = page.deadline_at < page.now
        words = (
            gettext("Its silence was over %(time)s ago")
            if late
            else gettext("Speaks by itself at %(when)s (in %(time)s)")
        )
        yield Step(icon="clock", tone="err" if late else "ok", title=words % values, detail=page.state)
    elif state is not None and state.kind in (StateKind.FINAL, StateKind.OPTOUT):
        title = gettext("%(state)s is an end: nothing more comes by itself") % {"state": page.state}
        yield Step(icon="okc", title=title)
    elif page.deadline_at is None:
        title = gettext("%(state)s has no silence deadline: the bot waits for the customer") % {"state": page.state}
        yield Step(icon="message", title=title)
