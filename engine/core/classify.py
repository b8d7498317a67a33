"""From a burst of messages to the one event that it proposes; the table decides what comes of it (R24).

Rules are tried strongest priority first, then in their written order. A phrase matches as whole consecutive words with
accents folded, also across two messages of the burst; a `none` phrase anywhere vetoes its rule. A tapped button means
what a rule says of its id, else the event that it is called by. "não, espera" and the like take back what was said before them. An opt-out beats everything and is not taken back by a mere "espera" (R75).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.core.flow import Flow, PhraseRule, Source
from engine.core.folding import spans, words
from engine.core.optout import Request, recognise
from engine.core.retraction import said_in

__all__ = ["Fragment", "Hit", "Proposal", "Span", "classify", "hits", "ranked"]


@dataclass(frozen=True, slots=True)
class Fragment:
    """One message of the burst, oldest first. `kind` is the inbound kind (text, audio, button, list…)."""

    text: str
    button_id: str | None = None
    kind: str = "text"


@dataclass(frozen=True, slots=True)
class Span:
    """Where a phrase stands: the fragment's number and the characters of its text, end not included."""

    fragment: int
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What is proposed and why.

    `reason` is rule, button, opt_out, withdrawn (everything was taken back) or general (nothing matched).
    `rule_index` counts the document's rules from 0. `score` is 1.0 for an exact match and 0.0 for the general event.
    `withdrawn` are the events that were proposed and taken back again.
    """

    event: str
    rule_index: int | None = None
    phrase: str | None = None
    span: Span | None = None
    score: float = 0.0
    reason: str = "general"
    withdrawn: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """A rule that matches, by which phrase and where."""

    rule_index: int
    event: str
    phrase: str
    span: Span


@dataclass(frozen=True, slots=True)
class _Said:
    """One folded word with its place; `breaks` marks the first word of a message."""

    text: str
    fragment: int
    start: int
    end: int


def classify(flow: Flow, fragments: Sequence[Fragment], language: str = "pt-BR") -> Proposal:
    """The strongest event of a burst. `language` is for models that may follow; words of all languages count here."""
    del language
    stop = _opt_out(flow, fragments)
    if stop is not None:
        return stop
    kept, taken_back = _kept(fragments)
    withdrawn = _proposed(flow, taken_back)
    tapped = _tapped(flow, fragments, kept)
    best = tapped or _by_rules(flow, kept)
    if best is not None:
        event, index, phrase, span = best
        return Proposal(
            event=event,
            rule_index=index,
            phrase=phrase,
            span=span,
            score=1.0,
            reason="button" if tapped else "rule",
            withdrawn=tuple(name for name in withdrawn if name != event),
        )
    reason = "withdrawn" if withdrawn else "general"
    return Proposal(event=flow.general_message, reason=reason, withdrawn=withdrawn)


def _opt_out(flow: Flow, fragments: Sequence[Fragment]) -> Proposal | None:
    if not flow.opt_out_events:
        return None
    event = max(sorted(flow.opt_out_events), key=lambda name: flow.events[name].priority)
    rules = [(index, rule) for index, rule in enumerate(flow.understanding) if rule.event in flow.opt_out_events]
    phrases = [phrase for _, rule in rules for phrase in rule.any]
    tapped = {name: (name, None) for name in flow.opt_out_events} | {
        ident: (rule.event, index) for index, rule in reversed(rules) for ident in rule.buttons
    }
    for number, fragment in enumerate(fragments):
        if fragment.button_id is not None and fragment.button_id in tapped:
            meant, index = tapped[fragment.button_id]
            span = Span(number, 0, len(fragment.text))
            return Proposal(event=meant, rule_index=index, phrase=fragment.text, span=span, score=1.0, reason="opt_out")
        found = recognise(fragment.text, phrases)
        if found is not None and not _vetoed(rules, fragment.text):
            index, named = _whose(rules, found, event)
            span = Span(number, found.start, found.end)
            return Proposal(event=named, rule_index=index, phrase=found.phrase, span=span, score=1.0, reason="opt_out")
    return None


def _vetoed(rules: Sequence[tuple[int, PhraseRule]], text: str) -> bool:
    said = words(text)
    return any(_place(words(veto), said) is not None for _, rule in rules for veto in rule.none)


def _whose(rules: Sequence[tuple[int, PhraseRule]], found: Request, default: str) -> tuple[int | None, str]:
    """The rule that has the very phrase, if the flow wrote it itself."""
    for index, rule in rules:
        if any(" ".join(words(phrase)) == found.phrase for phrase in rule.any):
            return index, rule.event
    return None, default


def _kept(fragments: Sequence[Fragment]) -> tuple[list[_Said], list[_Said]]:
    """The words that still count and those that were taken back (the last version counts)."""
    kept: list[_Said] = []
    gone: list[_Said] = []
    for number, fragment in enumerate(fragments):
        clear, spared = said_in(fragment.text)
        if clear:
            gone.extend(kept)
            kept = []
        before = [_Said(w.text, number, w.start, w.end) for w in spans(fragment.text) if w.start < spared]
        after = [_Said(w.text, number, w.start, w.end) for w in spans(fragment.text) if w.start >= spared]
        gone.extend(before)
        kept.extend(after)
    return kept, gone


def _tapped(
    flow: Flow, fragments: Sequence[Fragment], kept: Sequence[_Said]
) -> tuple[str, int | None, str, Span] | None:
    """The last button or list row that a rule names or whose id is a message event; the title of any other is matched
    by the rules like any text.
    """
    alive = {word.fragment for word in kept}
    for number, fragment in reversed(list(enumerate(fragments))):
        if fragment.button_id is None or (meant := _meant(flow, fragment.button_id)) is None:
            continue
        if number in alive or not words(fragment.text):
            event, index = meant
            return event, index, fragment.text, Span(number, 0, len(fragment.text))
    return None


def _meant(flow: Flow, ident: str) -> tuple[str, int | None] | None:
    """The event that a button means, and the rule that says so."""
    for index, rule in ranked(flow):
        if ident in rule.buttons:
            return rule.event, index
    named = flow.events.get(ident)
    return (ident, None) if named is not None and named.source is Source.MESSAGE else None


def ranked(flow: Flow) -> list[tuple[int, PhraseRule]]:
    """Rules that are not about opting out, with their places, strongest priority first, then as written."""
    rules = [(index, rule) for index, rule in enumerate(flow.understanding) if rule.event not in flow.opt_out_events]
    return sorted(rules, key=lambda row: (-flow.events[row[1].event].priority, row[0]))


def hits(flow: Flow, fragments: Sequence[Fragment]) -> list[Hit]:
    """Every rule that matches the words that still count, in the order in which rules are tried: the first is proposed
    where nobody asked to stop and no button was tapped.
    """
    return list(_hits(flow, _kept(fragments)[0]))


def _hits(flow: Flow, said: Sequence[_Said]) -> Iterator[Hit]:
    line = [word.text for word in said]
    for index, rule in ranked(flow):
        if any(_place(words(veto), line) is not None for veto in rule.none):
            continue
        for phrase in rule.any:
            wanted = words(phrase)
            at = _place(wanted, line)
            if at is not None:
                first = said[at]
                last = [w for w in said[at : at + len(wanted)] if w.fragment == first.fragment][-1]
                yield Hit(index, rule.event, phrase, Span(first.fragment, first.start, last.end))
                break


def _by_rules(flow: Flow, said: Sequence[_Said]) -> tuple[str, int | None, str, Span] | None:
    found = next(_hits(flow, said), None)
    return None if found is None else (found.event, found.rule_index, found.phrase, found.span)


def _proposed(flow: Flow, gone: Sequence[_Said]) -> tuple[str, ...]:
    """What the withdrawn words would have proposed, message by message."""
    borders = [0, *(i for i, (a, b) in enumerate(pairwise(gone), start=1) if a.fragment != b.fragment), len(gone)]
    events = (found[0] for a, b in pairwise(borders) if (found := _by_rules(flow, gone[a:b])) is not None)
    return tuple(dict.fromkeys(events))


def _place(wanted: Sequence[str], line: Sequence[str]) -> int | None:
    """Where the words stand one after the other, or None; no words match nothing."""
    if not wanted:
        return None
    size = len(wanted)
    return next((at for at in range(len(line) - size + 1) if list(line[at : at + size]) == list(wanted)), None)
