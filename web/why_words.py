"""The chain behind one line of a conversation: message, wait, understanding, arrow, deadline, queue, delivery."""

from collections.abc import Iterator, Mapping
from typing import Any

from engine.core import sentences
from engine.core.flow import PREVIOUS, Transition
from engine.core.folding import spans, words
from engine.services.transcript import Page
from engine.services.transcript_lines import Entry
from engine.services.why import Why
from web import i18n
from web.desk_words import brief, called, media, moment_of, precisely, who
from web.i18n import gettext, ngettext
from web.log_words import event_label, told
from web.talk_words import look_of
from web.why_steps import Chain, Step, answered, followed, left

__all__ = ["Chain", "chain"]


def chain(page: Page, why: Why, *, phones: bool) -> Chain:
    """The chain in the current language."""
    if why.ref.startswith("log-"):
        return _recorded(page, why, phones=phones)
    out = why.ref.startswith("out-")
    single = why.single
    mine = out and single["author"] is not None
    steps = [*_hand(page, single)] if mine else [*_heard(page, why, phones), *_decided(page, why)]
    steps += left(page, why, single) if out else answered(page, why)
    titles = {
        (True, True): gettext("How did this message leave?"),
        (True, False): gettext("Why did the bot send this?"),
        (False, False): gettext("What became of this message?"),
    }
    text = single["payload"].get("text") if out else single["text"] or single["transcript"]
    at = (single["sent_at"] or single["created_at"]) if out else single["at"]
    return Chain(
        title=titles[out, mine],
        text=str(text or ""),
        when=precisely(at, page.flow.timezone),
        steps=tuple(steps),
    )


def _recorded(page: Page, why: Why, *, phones: bool) -> Chain:
    """The chain behind a row of the log: what led to it, and what was sent because of it."""
    number = int(why.single["id"])
    entry = next(one for one in why.entries if one.id == number)
    said = told(entry, page.flow, page.now)
    steps = [*_heard(page, why, phones), *_decided(page, why)]
    if why.event is None or not steps:
        steps = [Step(icon=said.icon, tone="on", title=said.text, detail=precisely(entry.at, page.flow.timezone))]
    words = " → ".join((*said.moved, said.text)) if said.moved else said.text
    return Chain(
        title=gettext("Why did this happen?"),
        text=words,
        when=precisely(entry.at, page.flow.timezone),
        steps=(*steps, *followed(page, why)),
    )


def _hand(page: Page, letter: Mapping[str, Any]) -> Iterator[Step]:
    by_phone = letter["author"] == "phone"
    values = {"who": who(letter["author"])}
    title = (
        gettext("Somebody of the team answered by phone") if by_phone else gettext("%(who)s wrote it by hand") % values
    )
    yield Step(icon="user", title=title, detail=precisely(letter["created_at"], page.flow.timezone))


def _heard(page: Page, why: Why, phones: bool) -> Iterator[Step]:
    """What came in, and how long the bot waited for more."""
    zone, name = page.flow.timezone, called(page.name, page.phone, whole=phones)
    for message in why.messages:
        heard = message["kind"] == "audio" and (message["text"] or message["transcript"])
        words = heard or message["text"] or f"({media(message['kind']) or gettext('nothing')})"
        values = {"name": name, "words": words}
        title = gettext("%(name)s said “%(words)s”") if heard else gettext("%(name)s wrote “%(words)s”")
        yield Step(icon="wave" if heard else "message", title=title % values, detail=precisely(message["at"], zone))
    event = why.event
    if event is None:
        return
    yield from _way(why)
    if why.messages:
        waited = brief(max(0, event["received_at"] - max(m["received_at"] for m in why.messages)))
        count = len(why.messages)
        yield Step(
            icon="wave",
            title=gettext("Waited %(time)s for more messages") % {"time": waited},
            detail=ngettext("%(num)s message became 1 event", "%(num)s messages became 1 event", count)
            % {"num": count},
        )
    elif event["source"] == "clock":
        title = gettext("%(event)s: nobody answered in time") % {"event": _event(page, why, event["type"])}
        yield Step(icon="clock", title=title, detail=precisely(event["at"], zone))
    elif event["source"] == "payment":
        title = gettext("The payment platform said: %(event)s") % {"event": _event(page, why, event["type"])}
        yield Step(icon="card", title=title, detail=precisely(event["received_at"], zone))
    else:
        title = gettext("It happened: %(event)s") % {"event": _event(page, why, event["type"])}
        yield Step(icon="bolt", title=title, detail=precisely(event["received_at"], zone))


def _way(why: Why) -> Iterator[Step]:
    """Why the messages came to this conversation, when a person may have several (R71)."""
    for route in dict.fromkeys(message["route"] for message in why.messages if message["route"]):
        rule, _, what = str(route).partition(":")
        titles = {
            "reply": gettext("It answers a message of this conversation"),
            "button": gettext("The button is of this conversation"),
            "word": gettext("“%(what)s” leads to this flow") % {"what": what},
            "ad": gettext("The advert %(what)s leads to this flow") % {"what": what},
            "going_on": gettext("This is the talk that is under way"),
            "entry": gettext("The channel leads to this flow"),
        }
        yield Step(icon="flow", title=titles.get(rule, rule))


def _event(page: Page, why: Why, name: str) -> str:
    """An event in words; a silence is that of the state where it ended."""
    frm = next((entry.frm for entry in why.entries if entry.frm), None)
    return event_label(page.flow, name, frm) or name


def _decided(page: Page, why: Why) -> Iterator[Step]:
    """What was understood, the arrow that was taken, and the deadline that it set."""
    about = why.event["id"] if why.event is not None else None
    main = next(
        (
            entry
            for entry in why.entries
            if entry.event_id == about and about and (entry.outcome != "ignored" or not entry.facts.get("action"))
        ),
        None,
    )
    if main is None:
        return
    if (unheard := main.facts.get("transcript")) is not None:
        yield _unheard(str(unheard))
    proposal = main.facts.get("proposal")
    if isinstance(proposal, Mapping):
        yield _understood(page, why, proposal)
    if main.outcome == "transition":
        yield _arrow(page, main)
        deadline = _after(main, "deadline_at")
        if isinstance(deadline, int):
            values = {"when": moment_of(deadline, main.at, page.flow.timezone), "time": brief(deadline - main.at)}
            yield Step(
                icon="clock", title=gettext("New deadline: %(when)s") % values, detail=gettext("in %(time)s") % values
            )
    else:
        said = told(main, page.flow, page.now)
        yield Step(
            icon=said.icon, title=said.text, tone=said.tone or "on", detail=precisely(main.at, page.flow.timezone)
        )


def _unheard(how: str) -> Step:
    """The burst went on without the words of an audio (R23)."""
    titles = {
        "late": gettext("Went on without an audio's words: they took too long"),
        "failed": gettext("Went on without an audio's words: they could not be made out"),
    }
    plain = gettext("Went on without an audio's words: no service transcribes")
    return Step(icon="wave", tone="warn", title=titles.get(how, plain))


def _as_written(why: Why, phrase: str) -> str:
    """A phrase with the accents and capitals that the customer gave it."""
    wanted = words(phrase)
    for message in why.messages if wanted else ():
        text = message["text"] or message["transcript"] or ""
        said = spans(text)
        for first in range(len(said) - len(wanted) + 1):
            found = said[first : first + len(wanted)]
            if tuple(word.text for word in found) == wanted:
                return str(text[found[0].start : found[-1].end])
    return phrase


def _understood(page: Page, why: Why, proposal: Mapping[str, Any]) -> Step:
    name = event_label(page.flow, str(proposal.get("event") or ""), None)
    phrase, link = _as_written(why, str(proposal.get("phrase") or "")), f"/flows/{page.slug}/draft"
    match proposal.get("reason"):
        case "rule":
            detail = gettext("the rule “%(event)s” recognised") % {"event": name}
        case "button":
            detail, link = gettext("the customer tapped"), ""
        case "opt_out":
            detail, link = gettext("a request to stop is obeyed before anything else:"), ""
        case "withdrawn":
            detail, link = gettext("what was said before was taken back in the same breath"), ""
        case _:
            detail, link = gettext("no rule recognised it: it counts as any message"), ""
    return Step(
        icon="tag",
        title=gettext("Understood: %(event)s") % {"event": name},
        detail=detail,
        mark=phrase,
        link=link,
        link_text=gettext("see the flow") if link else "",
    )


def _arrow(page: Page, main: Entry) -> Step:
    frm, to = main.frm or "", main.to or ""
    moved = frm != to
    values = {"frm": frm, "to": to}
    title = gettext("Was in %(frm)s, went to %(to)s") if moved else gettext("Was in %(frm)s and stayed there")
    arrow = page.flow.arrows.get(str(main.facts.get("transition") or ""))
    known = arrow is not None and _same(arrow, main)
    number = main.facts.get("flow_version") or page.version
    ends = ((frm, look_of(page, frm)), (to, look_of(page, to)))
    return Step(
        icon="arrow" if moved else "loop",
        tone="on",
        title=title % values,
        detail=sentences.transition_sentence(page.flow, arrow, i18n.current()) if arrow is not None and known else "",
        states=ends if moved else ends[:1],
        event=event_label(page.flow, main.event, frm),
        link=f"/flows/{page.slug}/versions/{number}",
        link_text=gettext("version %(n)s") % {"n": number},
    )


def _same(arrow: Transition, main: Entry) -> bool:
    """Whether this version's arrow is the one that was taken: a later version may have given its id to another."""
    return arrow.to in (main.to, PREVIOUS) and arrow.frm in (main.frm, None)


def _after(entry: Entry, name: str) -> object:
    after = entry.facts.get("after")
    return after.get(name) if isinstance(after, Mapping) else None
