"""The log of a simulation: step by step what happened, from where to where, with which values, and why nothing did."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.core.flow import Flow, Look, Transition
from engine.core.sentences import condition
from engine.services.simulator.play import Happened, Played
from engine.services.simulator.steps import Step
from engine.services.transcript import Page
from engine.services.transcript_lines import Entry
from web import i18n
from web.desk_words import moment_of, precisely
from web.i18n import gettext, ngettext
from web.log_words import action_label, event_label, told
from web.sim_steps import ICONS, said
from web.talk_words import fate

__all__ = ["Done", "Row", "steps_done"]

ALREADY, NOTHING = "already", "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One thing that happened. `frm` and `to` with their looks where a transition was taken, `stays` where it led back;
    `details` are sentences, `chip` a verdict in two words with its tone.
    """

    when: str
    icon: str
    tone: str
    title: str
    frm: tuple[str, Look] | None = None
    to: tuple[str, Look] | None = None
    chip: tuple[str, str] | None = None
    details: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A step and what came of it; number 0 is before the first."""

    number: int
    icon: str
    text: str
    rows: tuple[Row, ...] = field(default=())
    note: str = ""


def steps_done(flow: Flow, steps: tuple[Step, ...], came: Played) -> tuple[Done, ...]:
    """Every step, the latest first."""
    rows: dict[int, list[Row]] = {}
    known: Mapping[str, Any] = {f.name: f.default for f in flow.context.values() if f.default is not None}
    for happened in came.log:
        row = _row(flow, came, happened, known)
        if row is not None:
            rows.setdefault(happened.step, []).append(row)
        known = (happened.entry.facts.get("after") or {}).get("context", known)
    return tuple(
        Done(
            number=number + 1,
            icon=ICONS.get(step.kind, "info"),
            text=said(flow, step),
            rows=tuple(rows.get(number, ())),
            note=_note(step, came.answers.get(number), rows.get(number, [])),
        )
        for number, step in reversed(list(enumerate(steps)))
    )


def _note(step: Step, answer: int | None, rows: list[Row]) -> str:
    """What is to be said of a step of which the log does not tell everything."""
    if answer is not None and answer >= 400:
        return gettext("It was turned away (%(status)s): nothing changes") % {"status": answer}
    if step.kind == "crash":
        return gettext("The process ended in the middle of a send and began again. Nothing was sent twice.")
    if step.kind == "person":
        return gettext("It arrives with the next message or payment.")
    if step.kind == "message" and step.more and not rows:
        return gettext("Waiting for the end of the burst: write more, or let time pass")
    return "" if rows else gettext("Nothing was due")


def _row(flow: Flow, came: Played, happened: Happened, known: Mapping[str, Any]) -> Row | None:
    entry, zone = happened.entry, flow.timezone
    if entry.outcome == "sent" and entry.reason is None:
        return None  # the row of the decision says it
    words = told(entry, flow, came.now)
    title, frm, to, chip = words.text, None, None, None
    details: list[str] = []
    if entry.outcome == "transition":
        title = event_label(flow, entry.event, entry.frm)
        frm, to = _state(flow, entry.frm), _state(flow, entry.to)
        details += [
            *_heard(entry),
            *_why_taken(flow, entry, known),
            *_sent(came.page, flow, entry),
            *_deadline(flow, came, entry),
        ]
    elif entry.reason == "older_status":
        title = gettext("Older news of a send: %(action)s") % {"action": action_label(flow, entry.facts.get("action"))}
        chip = ("", gettext("out of order"))
        details.append(gettext("Newer news were known already: nothing changes"))
    elif entry.outcome in ("no_transition", "ignored") and entry.event:
        title, chip = event_label(flow, entry.event, entry.frm), ("", gettext("no transition"))
        frm = _state(flow, entry.frm)
        details += [words.text, *_heard(entry), *_why_not(flow, entry, known)]
    elif entry.outcome == "duplicate":
        title, chip = gettext("repeated"), ("", gettext("already processed"))
        details += [gettext("The same id as before: nothing changes")]
    elif entry.outcome == "alert" and entry.reason == "two_transitions":
        frm = _state(flow, entry.frm)
        details += [line for arrow in _arrows(flow, entry.facts.get("candidates")) for line in _asked(arrow, known)]
    return Row(
        when=precisely(entry.at, zone),
        icon=words.icon,
        tone=words.tone,
        title=title,
        frm=frm,
        to=to,
        chip=chip,
        details=tuple(details),
    )


def _state(flow: Flow, name: str | None) -> tuple[str, Look] | None:
    state = flow.states.get(name or "")
    return None if state is None else (state.name, state.look)


def _heard(entry: Entry) -> Iterator[str]:
    """How it was understood: the phrase of a rule, and how many messages were one event."""
    proposal = entry.facts.get("proposal") or {}
    if proposal.get("phrase"):
        yield gettext("Understood by “%(phrase)s”") % {"phrase": proposal["phrase"]}
    elif proposal.get("reason") == "general":
        yield gettext("No rule knows these words: it is a message like any other")
    count = entry.facts.get("batch_size")
    if isinstance(count, int) and count > 1:
        yield ngettext("%(num)s message in 1 event", "%(num)s messages together in 1 event", count) % {"num": count}
    if entry.facts.get("as"):
        yield gettext("It counts as “%(event)s” here") % {"event": str(entry.facts["as"]).replace("_", " ")}


def _why_taken(flow: Flow, entry: Entry, known: Mapping[str, Any]) -> Iterator[str]:
    for arrow in _arrows(flow, [entry.facts.get("transition")]):
        yield from _asked(arrow, known)


def _why_not(flow: Flow, entry: Entry, known: Mapping[str, Any]) -> Iterator[str]:
    """The conditions of the arrows that were looked at and not taken."""
    if entry.event is None or entry.event not in flow.events or entry.frm is None:
        return
    for name in flow.fallbacks(entry.event):
        for arrow in (*flow.global_group(entry.frm, name), *flow.own_group(entry.frm, name)):
            for line in _asked(arrow, known):
                yield gettext("Not true: %(condition)s") % {"condition": line}


def _asked(arrow: Transition, known: Mapping[str, Any]) -> Iterator[str]:
    """An arrow's condition with the values that it had."""
    words = condition(arrow, i18n.current())
    if not words:
        return
    source = arrow.when.source if arrow.when is not None else ""
    names = [name for name in known if re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", source)]
    values = ", ".join(f"{name} = {_shown(known[name])}" for name in names)
    yield f"{words} ({values})" if values else words


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    return str(value)


def _arrows(flow: Flow, names: object) -> list[Transition]:
    return [flow.arrows[name] for name in names if name in flow.arrows] if isinstance(names, list) else []


def _sent(page: Page | None, flow: Flow, entry: Entry) -> Iterator[str]:
    """What was decided to be sent, and what became of it."""
    letters = [one for one in (page.letters if page is not None else ()) if one["event_id"] == entry.event_id]
    for letter in letters:
        became = fate(page, letter) if page is not None else ""
        values = {"action": action_label(flow, letter["action"]), "became": became or gettext("sent")}
        yield gettext("%(action)s → %(became)s") % values
    named = {letter["action"] for letter in letters}
    for action in entry.facts.get("actions") or ():
        if action not in named:
            yield action_label(flow, action)


def _deadline(flow: Flow, came: Played, entry: Entry) -> Iterator[str]:
    after = entry.facts.get("after") or {}
    if isinstance(after.get("deadline_at"), int):
        when = moment_of(after["deadline_at"], came.now, flow.timezone)
        yield gettext("New deadline: %(when)s") % {"when": when}
    elif "deadline_at" in after:
        yield gettext("No deadline any more")
