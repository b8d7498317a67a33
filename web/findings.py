"""Findings of the checks as a page shows them: sentence, places to jump to, example, repairs."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import quote

from engine.core.checks.examples import NOW, example
from engine.core.checks.findings import Finding
from engine.core.checks.sentences import fix_label, sentence
from engine.core.flow import Flow, Look, Value
from web import i18n
from web.flow_words import event_label

__all__ = ["Fix", "Place", "Shown", "in_conflict", "shown"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a finding points: a state (with its look) or a transition."""

    name: str
    look: Look | None
    href: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A repair: what it says and the edits that it makes, as the form carries them."""

    label: str
    key: str


@dataclass(frozen=True, slots=True)
class Shown:
    """One finding, ready for the template."""

    code: str
    severity: str
    message: str
    places: tuple[Place, ...]
    witness: tuple[str, ...]
    path: tuple[str, ...]
    fixes: tuple[Fix, ...]
    transitions: frozenset[str]
    states: frozenset[str]


def shown(flow: Flow, findings: Iterable[Finding], base: str, view: str) -> tuple[Shown, ...]:
    """The findings in the reader's language, in their canonical order; `base` is the editor's address."""
    return tuple(_shown(flow, finding, f"{base}?view={view}&sel=") for finding in findings)


def in_conflict(findings: Iterable[Shown]) -> frozenset[str]:
    """The arrows that may fire together."""
    return frozenset(name for finding in findings if finding.code in ("G1", "G6") for name in finding.transitions)


def _shown(flow: Flow, finding: Finding, link: str) -> Shown:
    language, where = i18n.current(), finding.where
    state = flow.states.get(where.state or "")
    places = [Place(state.name, state.look, f"{link}s:{quote(state.name)}")] if state is not None else []
    places += [Place(_arrow(flow, name), None, f"{link}t:{quote(name)}") for name in where.transitions]
    return Shown(
        code=finding.code,
        severity=finding.severity.value,
        message=sentence(finding, language),
        places=tuple(places),
        witness=_witness(finding.witness or {}, language),
        path=tuple(_step(flow, step) for step in finding.path or ()),
        fixes=tuple(Fix(fix_label(fix, language), json.dumps([dict(fix.edit)])) for fix in finding.fixes),
        transitions=frozenset(where.transitions),
        states=frozenset({state.name} if state is not None else ()),
    )


def _arrow(flow: Flow, name: str) -> str:
    """An arrow by its id, which the sentences use, and its event."""
    arrow = flow.arrows.get(name)
    return f"{name} · {event_label(flow, arrow.on, flow.states.get(arrow.frm or ''))}" if arrow is not None else name


def _witness(witness: Mapping[str, Value], language: str) -> tuple[str, ...]:
    """One phrase a name; the instant alone says nothing where an age is told."""
    known = "pt-BR" if language.startswith("pt") else "en"
    moment = {NOW: witness[NOW]} if NOW in witness else {}
    return tuple(
        example({name: value, **(moment if name == "last_inbound" else {})}, known)
        for name, value in sorted(witness.items())
        if name != NOW or len(witness) == 1
    )


def _step(flow: Flow, step: Mapping[str, object]) -> str:
    """One step of a way there: `NOVO, mensagem → ENGAJADO`."""
    state, event, to = (str(step.get(key) or "") for key in ("state", "event", "to"))
    said = event_label(flow, event, flow.states.get(state)) if event else ""
    return " → ".join(part for part in (", ".join(word for word in (state, said) if word), to) if part)
