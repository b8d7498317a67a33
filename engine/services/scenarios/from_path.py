"""A finding's path as a scenario: what would be posted, and when, so that the real engine goes the same way.

Theory of operation. The path is walked on the interpreter, on the flow without jitter, with every deadline where the
engine will have it. A message becomes a text, or a tap on a button, that the classifier itself takes for the event; a
payment becomes the notice of a source; silence becomes time. A moment is chosen for each step by trying: at once, at
what the step's values say, and as late as the deadline allows. The lead has just written something when it begins,
unless the path depends on that, so that what is sent can leave. The scenario expects what the path says: it passes as
long as the fault is there. Quiet hours and jitter are off in it: they move sends, and prove nothing. A split has one
branch in it, the one that is on the path.
"""

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any

from engine.core.checks.findings import Finding
from engine.core.classify import Fragment, classify
from engine.core.document import read
from engine.core.durations import compact
from engine.core.edits_splits import set_shares, twins
from engine.core.errors import Refused
from engine.core.events import Event, Snapshot, Step
from engine.core.flow import DAY, EXHAUSTED, MINUTE, SECOND, TIMEOUT, Flow, Millis, Send, Source, Value
from engine.core.interpreter import opening, step
from engine.core.splits import POINTS
from engine.services.scenarios.format import EPOCH
from engine.services.scenarios.posting import LEAD, SOURCE, message, notice, outcomes, source

__all__ = ["scenario_of"]

LATE = 60 * DAY
"""How late "at any time" is, where nothing is waited for."""
_GENERAL = ("oi", "bom dia", "tudo bem", "ok", "certo", "hmm", "entendi", "e o curso", "me conta mais")
_NOW = "now()"


def scenario_of(tree: Mapping[str, object], finding: Finding) -> dict[str, Any]:
    """The scenario file's content; `tree` is the document that the finding is about.

    Raises Refused: path_missing, path_event (an event that no scenario can make happen), path_words (nothing that
    could be said is taken for the event), path_differs (no moment or value that was tried goes that way).
    """
    if not finding.path:
        raise Refused("path_missing")
    late = finding.code == "R4"
    calm = _calm(tree, [str(told["transition"]) for told in finding.path], late=late)
    flow = read(calm)
    walk = _Walk(flow, finding)
    for told in finding.path:
        walk.go(told)
    begun: dict[str, Any] = {"contact": LEAD, "state": flow.initial, "context": walk.given}
    if walk.wrote_at is not None:
        begun["last_inbound_at"] = walk.wrote_at / 1_000
    if walk.name is not None:
        begun["name"] = walk.name
    return {
        "case": f"{flow.slug}-{finding.code}".lower(),
        "symptom": finding.message,
        "given": "Made from the path of a finding: it passes as long as the flow goes that way.",
        "setup": {
            "flow": {"document": calm},
            "channel": {"kind": "whatsapp_cloud"},
            "sources": [source(walk.outcomes)] if walk.outcomes else [],
            "conversations": [begun],
        },
        "inputs": walk.inputs,
        "expect": {
            "conversations": [{"contact": LEAD, "state": finding.path[-1]["to"]}],
            "log": [_logged(told) for told in finding.path],
        },
    }


def _calm(tree: Mapping[str, object], taken: Sequence[str], *, late: bool) -> dict[str, Any]:
    """The document without quiet hours, and without luck: no jitter, or where it has to be late, all of it; and every
    contact takes the branch of a split that the path takes.
    """
    calm: dict[str, Any] = deepcopy(dict(tree))
    for name in taken:
        branches = twins(calm, name) if name in read(calm).branches else ()
        if branches:
            calm = set_shares(calm, name, {branch: POINTS if branch == name else 0 for branch in branches})
    for name, state in read(calm).states.items():
        calm["states"][name].pop("jitter", None)
        if late and state.jitter:
            calm["states"][name]["deadline"] = [compact(wait + state.jitter) for wait in state.deadline]
    calm["settings"] = {**(calm.get("settings") or {}), "quiet_hours": None}
    return calm


def _logged(told: Mapping[str, Any]) -> dict[str, Any]:
    if told["transition"] is None:
        return {"event": told["event"], "frm": told["from"]}
    return {"outcome": "transition", "frm": told["from"], "to": told["to"], "actions": list(told["do"])}


class _Walk:
    """Goes along a path and notes what has to be posted; times are milliseconds from the start."""

    def __init__(self, flow: Flow, finding: Finding) -> None:
        path: tuple[Mapping[str, Any], ...] = finding.path or ()
        self._flow = flow
        self._is_late = finding.code == "R4"
        written = {assignment.field for arrow in flow.arrows.values() for assignment in arrow.set}
        values = {name: value for told in reversed(path) for name, value in dict(told.get("values") or {}).items()}
        self.given = {name: values[name] for name in values if name in flow.context and name not in written}
        name = values.get("contact.name")
        self.name = name if isinstance(name, str) else None
        paid = list(dict.fromkeys(t["event"] for t in path if _source(flow, t["event"]) is Source.PAYMENT))
        self.outcomes = outcomes(paid)
        self.inputs: list[dict[str, Any]] = []
        self._now: Millis = 0
        self.wrote_at = None if self._is_late or "last_inbound" in values else -MINUTE
        begun = opening(flow, EPOCH, "path")
        held = {**begun.context, **self.given}
        self._at = replace(
            begun,
            context={name: value for name, value in held.items() if value is not None},
            last_inbound_at=0 if self.wrote_at is None else EPOCH + self.wrote_at,
        )

    def go(self, told: Mapping[str, Any]) -> None:
        """One step. Raises Refused."""
        event, kind = str(told["event"]), _source(self._flow, str(told["event"]))
        if kind not in (Source.MESSAGE, Source.PAYMENT, Source.CLOCK):
            raise Refused("path_event", event=event)
        said = self._words(event) if kind is Source.MESSAGE else None
        quiet = self._flow.debounce_in(self._at.state).quiet if said is not None else 0
        for at in self._moments(kind, dict(told.get("values") or {})):
            came = self._tried(event, kind, at, at + quiet)
            if (came.taken.id if came.taken is not None else None) != told["transition"]:
                continue
            if came.snapshot.state == told["to"]:
                self._note(event, at, said)
                self._now = -(-(at + quiet + SECOND) // SECOND) * SECOND
                self._at = _spent(came) if kind is Source.CLOCK else came.snapshot
                return
        raise Refused("path_differs", event=event, state=self._at.state)

    def _moments(self, kind: Source, values: Mapping[str, Value]) -> Iterator[Millis]:
        """When the step may happen, the likeliest first."""
        deadline = None if self._at.deadline_at is None else self._at.deadline_at - EPOCH
        if kind is Source.CLOCK:
            yield from () if deadline is None else (deadline,)
            return
        latest = self._now + LATE if deadline is None else deadline - MINUTE
        wished = [self._now, latest]
        age, last, now = values.get("state_age"), values.get("last_inbound"), values.get(_NOW)
        if isinstance(age, int):
            wished.insert(0, self._at.entered_at - EPOCH + age)
        if isinstance(last, int) and isinstance(now, int):
            wished.insert(0, self._at.last_inbound_at - EPOCH + now - last)
        for at in sorted(wished, reverse=True) if self._is_late and kind is Source.PAYMENT else wished:
            if self._now <= at <= max(latest, self._now):
                yield at // SECOND * SECOND

    def _tried(self, event: str, kind: Source, at: Millis, then: Millis) -> Step:
        before: Snapshot = replace(self._at, last_inbound_at=EPOCH + at) if kind is Source.MESSAGE else self._at
        number = len(self.inputs)
        declared = self._flow.events[event].data if event in self._flow.events else {}
        data = {"transacao": f"{SOURCE}:path-{number}"} if "transacao" in declared else {}
        happened = Event(id=f"path-{number}", type=event, source=kind, at=EPOCH + at, data=data)
        contact = {"phone": LEAD, **({} if self.name is None else {"name": self.name})}
        return step(self._flow, before, happened, EPOCH + then, contact)

    def _note(self, event: str, at: Millis, said: Fragment | None) -> None:
        number, seconds = len(self.inputs), at / 1_000
        if said is not None:
            body = message(number, at, said, self.name)
            self.inputs.append({"at": seconds, "kind": "whatsapp_cloud", "payload": body})
        elif event in self.outcomes:
            self.inputs.append({"at": seconds, "kind": SOURCE, "payload": notice(number, event)})
        else:
            self.inputs.append({"at": seconds, "kind": "clock", "payload": {"advance_to": seconds}})

    def _words(self, event: str) -> Fragment:
        """What the lead says or taps; another wording each time, for the same words again and again look like a robot."""
        usable = [said for said in _candidates(self._flow, event) if classify(self._flow, [said]).event == event]
        if not usable:
            raise Refused("path_words", event=event)
        return usable[len(self.inputs) % len(usable)]


def _candidates(flow: Flow, event: str) -> Iterator[Fragment]:
    for rule in flow.understanding:
        if rule.event == event:
            yield from (Fragment(phrase) for phrase in rule.any)
    if event == flow.general_message:
        yield from map(Fragment, _GENERAL)
    for action in flow.actions.values():
        for button in action.buttons if isinstance(action, Send) else ():
            if (title := next((words for _, words in button.title.versions), None)) is not None:
                yield Fragment(title, button.id, "button")


def _source(flow: Flow, event: str) -> Source:
    if event in (TIMEOUT, EXHAUSTED):
        return Source.CLOCK
    return flow.events[event].source


def _spent(came: Step) -> Snapshot:
    """A deadline that fired is over, unless the arrow armed another one."""
    armed = came.taken is not None and not came.taken.keep_deadline
    return came.snapshot if armed else replace(came.snapshot, deadline_at=None)
