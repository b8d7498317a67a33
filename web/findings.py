"""Findings of the checks as a page shows them: sentence, places to jump to, example, way there, repairs."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from engine.core.canonical import canonical
from engine.core.checks.examples import sample
from engine.core.checks.findings import Finding
from engine.core.checks.number_line import number_line
from engine.core.checks.sentences import fix_label, sentence
from engine.core.flow import Flow, Look
from engine.core.rule_sentences import rule_sentence
from web import i18n
from web.flow_words import event_label
from web.i18n import gettext
from web.path_words import Step, steps

__all__ = ["Fix", "Place", "Shown", "Spot", "in_conflict", "key_of", "sel_in", "shown"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a finding points: a state (with its look), a transition, a square of the table or a rule."""

    name: str
    look: Look | None
    href: str
    icon: str = "arrow"


@dataclass(frozen=True, slots=True)
class Fix:
    """A repair: what it says and the edits that it makes, as the form carries them."""

    label: str
    key: str


@dataclass(frozen=True, slots=True)
class Spot:
    """One value of a number, and what happens there: where each arrow that fires leads, with the kind of that state."""

    value: int
    outcome: str
    look: Look | None
    example: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """One finding, ready for the template. `key` names it in an address.

    `witness` has (name, value) pairs; `line` the values of the one number that it is about, named `number`, where that
    can be drawn, and `whole` says that they are all. `transitions` are all arrows involved, those of the way too. `rule`
    is the number of the broken rule and `verdict` violated or unknown; None and "" for all other findings.
    """

    key: str
    code: str
    severity: str
    message: str
    places: tuple[Place, ...]
    witness: tuple[tuple[str, str], ...]
    number: str
    line: tuple[Spot, ...]
    whole: bool
    path: tuple[Step, ...]
    fixes: tuple[Fix, ...]
    transitions: frozenset[str]
    states: frozenset[str]
    event: str
    rule: int | None
    verdict: str
    scenario: str = ""
    """Where its path is to be had as a scenario file."""
    simulator: str = ""
    """Where a run of the simulator begins; the finding is named there by its `key`."""


def key_of(finding: Finding) -> str:
    """A name for a finding of a draft, the same as long as it says the same."""
    where = finding.where
    told = canonical([finding.code, where.state, where.event, list(where.transitions), finding.message])
    return hashlib.blake2s(told.encode(), digest_size=8).hexdigest()


def shown(flow: Flow, findings: Iterable[Finding], base: str, view: str) -> tuple[Shown, ...]:
    """The findings in the reader's language, in their canonical order; `base` is the editor's address, where rules have no place for an arrow."""
    place = f"{base}?view={'diagram' if view == 'rules' else view}&sel="
    return tuple(_shown(flow, finding, place) for finding in findings)


def in_conflict(findings: Iterable[Shown]) -> frozenset[str]:
    """The arrows that may fire together."""
    return frozenset(name for finding in findings if finding.code in ("G1", "G6") for name in finding.transitions)


def sel_in(sel: str, finding: Shown) -> bool:
    """Whether the selected thing has to do with a finding."""
    kind, _, name = sel.partition(":")
    if kind == "p":
        return name == finding.key
    if kind == "r":
        return finding.rule is not None and name == str(finding.rule)
    if kind == "c":
        state, _, event = name.partition(":")
        return state in finding.states and event == finding.event
    return name in (finding.transitions if kind == "t" else finding.states if kind == "s" else ())


def _shown(flow: Flow, finding: Finding, link: str) -> Shown:
    language, where = i18n.current(), finding.where
    state = flow.states.get(where.state or "")
    rule = finding.facts.get("rule")
    way = steps(flow, finding.path or (), link)
    line = number_line(flow, finding)
    key = key_of(finding)
    return Shown(
        key=key,
        code=finding.code,
        severity=finding.severity.value,
        message=_message(flow, finding, rule),
        places=tuple(_places(flow, finding, link)),
        witness=sample(finding.witness or {}, "en" if language == "en" else "pt-BR"),
        number=line.name if line is not None else "",
        line=tuple(_spot(flow, point.value, point.arrows, example=point.example) for point in line.points)
        if line
        else (),
        whole=line is not None and line.whole,
        path=way,
        fixes=tuple(Fix(fix_label(fix, language), json.dumps([dict(fix.edit)])) for fix in finding.fixes),
        transitions=frozenset((*where.transitions, *(step.arrow for step in way if step.arrow))),
        states=frozenset({state.name} if state is not None else ()),
        event=where.event or "",
        rule=rule if isinstance(rule, int) else None,
        verdict=str(finding.facts.get("verdict", "")),
        scenario=f"{link.partition('?')[0]}/problems/{key}/scenario.json" if way else "",
        simulator=f"{link.partition('?')[0].removesuffix('/draft')}/simulator",
    )


def _message(flow: Flow, finding: Finding, rule: object) -> str:
    """The finding's sentence; a rule that nobody could decide about is told in its own words, not as it is written."""
    if finding.facts.get("verdict") != "unknown" or not isinstance(rule, int):
        return sentence(finding, i18n.current())
    words = rule_sentence(flow, flow.rules[rule], i18n.current())
    return gettext("It could not be proved: %(rule)s. Simplify the conditions on the way.") % {"rule": words}


def _places(flow: Flow, finding: Finding, link: str) -> Iterator[Place]:
    where, rule = finding.where, finding.facts.get("rule")
    base = link.partition("?")[0]
    if isinstance(rule, int):
        yield Place(gettext("Rule %(n)s") % {"n": rule + 1}, None, f"{base}?view=rules&sel=r:{rule}", "okc")
    if (state := flow.states.get(where.state or "")) is not None:
        yield Place(state.name, state.look, f"{link}s:{quote(state.name)}")
        if where.event is not None and not where.transitions:
            label = event_label(flow, where.event, state)
            yield Place(label, None, f"{base}?view=table&sel=c:{quote(state.name)}:{quote(where.event)}", "table")
    for name in where.transitions:
        yield Place(_arrow(flow, name), None, f"{link}t:{quote(name)}")


def _arrow(flow: Flow, name: str) -> str:
    """An arrow by its id, which the sentences use, and its event."""
    arrow = flow.arrows.get(name)
    return f"{name} · {event_label(flow, arrow.on, flow.states.get(arrow.frm or ''))}" if arrow is not None else name


def _spot(flow: Flow, value: int, arrows: Sequence[str], *, example: bool) -> Spot:
    """What happens at a value, in a word or two."""
    if not arrows:
        return Spot(value, gettext("nothing"), None, example)
    if len(arrows) > 1:
        both = gettext("both") if len(arrows) == 2 else gettext("%(num)s arrows") % {"num": len(arrows)}
        return Spot(value, both, None, example)
    arrow = flow.arrows[arrows[0]]
    if arrow.share is not None:
        return Spot(value, gettext("A/B test"), None, example)
    if arrow.frm == arrow.to:
        return Spot(value, gettext("stays"), flow.states[arrow.to].look, example)
    target = flow.states.get(arrow.to)
    name = target.name if target is not None else gettext("state before")
    return Spot(value, name, target.look if target is not None else None, example)
