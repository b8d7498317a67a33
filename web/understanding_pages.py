"""What the bot understands, as its page shows it: rules in the order in which they are tried, a trial, texts to review."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from engine.core import sentences
from engine.core.classify import Hit, Span, ranked
from engine.core.diagram.graph import graph
from engine.core.events import Outcome
from engine.core.flow import Flow, Look, Source, Transition
from engine.core.trying import Consequence, Trial
from web import i18n
from web.flow_words import event_label, line
from web.i18n import gettext

__all__ = ["ShownRule", "ShownTrial", "message_events", "rules", "shown_trial"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownRule:
    """One rule. `at` is its place in the document, `number` the place in which it is tried; `won` by the trial."""

    at: int
    number: int
    event: str
    label: str
    priority: int
    stops: bool
    phrases: tuple[str, ...]
    vetoes: tuple[str, ...]
    buttons: tuple[str, ...]
    won: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a tried text: `mark` is hit, also or nothing."""

    text: str
    mark: str


@dataclass(frozen=True, slots=True)
class Arrow:
    """What an arrow does: where it goes ("" stays), what the bot does, under which condition."""

    condition: str
    to: str
    look: Look | None
    actions: str
    taken: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One state. `words` say it when no arrow is taken or before the arrows."""

    state: str
    look: Look
    words: str
    quiet: bool
    arrows: tuple[Arrow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownTrial:
    """A trial. `rule` is the number of the rule that won, 0 for none, and `at` its place in the document."""

    label: str
    at: int
    rule: int
    phrase: str
    score: int
    why: str
    stops: bool
    lines: tuple[tuple[Piece, ...], ...]
    also: tuple[str, ...]
    results: tuple[Result, ...]


def message_events(flow: Flow) -> tuple[tuple[str, str], ...]:
    """What a text may mean, without the general event."""
    known = (name for name, kind in flow.events.items() if kind.source is Source.MESSAGE)
    return tuple((name, event_label(flow, name)) for name in known if name != flow.general_message)


def rules(flow: Flow, won: str = "", won_at: int | None = None) -> tuple[ShownRule, ...]:
    """The rules in the order in which they are tried; what asks to stop comes first, whatever its priority (R75)."""
    first = [(at, rule) for at, rule in enumerate(flow.understanding) if rule.event in flow.opt_out_events]
    return tuple(
        ShownRule(
            at=at,
            number=number,
            event=rule.event,
            label=event_label(flow, rule.event),
            priority=flow.events[rule.event].priority,
            stops=rule.event in flow.opt_out_events,
            phrases=rule.any,
            vetoes=rule.none,
            buttons=rule.buttons,
            won=won if at == won_at else "",
        )
        for number, (at, rule) in enumerate([*first, *ranked(flow)], start=1)
    )


def shown_trial(flow: Flow, trial: Trial) -> ShownTrial:
    """A trial in the current language."""
    proposal = trial.proposal
    numbers = {rule.at: rule.number for rule in rules(flow)}
    rule = numbers.get(proposal.rule_index, 0) if proposal.rule_index is not None else 0
    spans = [(hit.span, "also") for hit in trial.also] + ([(proposal.span, "hit")] if proposal.span else [])
    found = {one.state: one for one in trial.consequences}
    return ShownTrial(
        label=event_label(flow, proposal.event),
        at=proposal.rule_index or 0,
        rule=rule,
        phrase=proposal.phrase or "",
        score=round(proposal.score * 100),
        why=_why(trial),
        stops=trial.asks_to_stop,
        lines=tuple(_pieces(text, [(s, m) for s, m in spans if s.fragment == n]) for n, text in enumerate(trial.texts)),
        also=tuple(_also(flow, trial, hit, numbers) for hit in trial.also if proposal.reason == "rule"),
        results=tuple(_result(flow, found[box.name], proposal.event) for box in graph(flow).boxes),
    )


def _also(flow: Flow, trial: Trial, hit: Hit, numbers: Mapping[int, int]) -> str:
    """Why another rule that matches too did not win; between equal priorities the order decides, which is no reason."""
    told = {"number": numbers[hit.rule_index], "event": event_label(flow, hit.event), "phrase": hit.phrase}
    won = flow.events[trial.proposal.event]
    if hit.event != won.name and flow.events[hit.event].priority == won.priority:
        return (
            gettext(
                "Rule %(number)s (%(event)s) matches too, by “%(phrase)s”, with the same priority: only the order of the"
                " rules decides. Exclude the phrase in one of them or give one another priority."
            )
            % told
        )
    return gettext("Rule %(number)s (%(event)s) would match too, by “%(phrase)s”, but comes later.") % told


def _why(trial: Trial) -> str:
    withdrawn = ", ".join(trial.proposal.withdrawn)
    return {
        "rule": "",
        "opt_out": gettext("A request for no more messages: it comes before every rule."),
        "withdrawn": gettext("The customer took back what was said before (%(events)s).") % {"events": withdrawn},
        "general": gettext("No rule matches: it counts as any message."),
    }.get(trial.proposal.reason, "")


def _pieces(text: str, marked: Sequence[tuple[Span, str]]) -> tuple[Piece, ...]:
    """The text cut where a mark begins or ends; where two marks meet, the one that won counts."""
    marks = [""] * len(text)
    for span, mark in marked:
        marks[span.start : span.end] = [mark] * (min(span.end, len(text)) - span.start)
    together = groupby(zip(text, marks, strict=True), key=itemgetter(1))
    return tuple(Piece("".join(char for char, _ in pairs), mark) for mark, pairs in together)


def _result(flow: Flow, one: Consequence, event: str) -> Result:
    arrows = one.arrows or ((one.taken,) if one.taken is not None else ())
    return Result(
        state=one.state,
        look=flow.states[one.state].look,
        words=_words(flow, one, event),
        quiet=one.outcome in (Outcome.NO_TRANSITION, Outcome.IGNORED),
        arrows=tuple(_arrow(flow, arrow, one.taken) for arrow in arrows),
    )


def _words(flow: Flow, one: Consequence, event: str) -> str:
    known: Mapping[Outcome, str] = {
        Outcome.MOVED: "",
        Outcome.IGNORED: gettext("ignored, as the flow says"),
        Outcome.NO_TRANSITION: gettext("no arrow: recorded and ignored"),
        Outcome.AMBIGUOUS: gettext("two arrows could fire: nothing is done"),
    }
    if one.outcome is Outcome.MOVED and one.counts_as != event:
        return gettext("not known here, counts as “%(event)s”:") % {"event": event_label(flow, one.counts_as)}
    return known[one.outcome]


def _arrow(flow: Flow, arrow: Transition, taken: Transition | None) -> Arrow:
    said = line(flow, arrow)
    return Arrow(
        condition=said.condition,
        to="" if said.stays else arrow.to,
        look=said.look,
        actions=sentences.action_names(flow, arrow, i18n.current()),
        taken=taken is not None and arrow.id == taken.id,
    )
