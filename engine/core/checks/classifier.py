"""C1: one text means two events, and only the order of the rules says which one it is."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import TypeAlias

from engine.core.checks.findings import Finding, Fix, Where
from engine.core.checks.sentences import finding
from engine.core.classify import Fragment, classify, hits, ranked
from engine.core.flow import Flow, PhraseRule
from engine.core.folding import words

STRONGEST = 1_000_000
"""The greatest priority that a document may write."""

_Phrases: TypeAlias = Mapping[tuple[str, ...], Sequence[tuple[int, str]]]
"""Folded words: the rules that look for them, by their places, with the phrase as written."""


def check_classifier(flow: Flow) -> Iterator[Finding]:
    """One finding for each two rules of equal priority of which a phrase of one contains or equals one of the other.

    The longer phrase is the text. It was given to the classifier, which matched both rules, so what a rule's `none`
    rules out is not told. Rules that ask to stop are not compared: they come before all others, and together (R75).
    """
    rules = dict(ranked(flow))
    known = _phrases(rules)
    told: set[frozenset[int]] = set()
    for said, owners in known.items():
        for part in _parts(said):
            for one, text in owners:
                for other, phrase in known.get(part, ()):
                    pair = frozenset((one, other))
                    if pair not in told and _rivals(flow, rules[one], rules[other]) and _both(flow, text, pair):
                        told.add(pair)
                        yield _finding(flow, text, one, phrase, other)


def _phrases(rules: Mapping[int, PhraseRule]) -> _Phrases:
    known: dict[tuple[str, ...], list[tuple[int, str]]] = {}
    for place, rule in rules.items():
        for phrase in rule.any:
            if said := words(phrase):
                known.setdefault(said, []).append((place, phrase))
    return known


def _parts(said: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The words themselves and everything that stands in them as whole words one after the other, each once."""
    size = len(said)
    yield from dict.fromkeys(
        said[begin : begin + length] for length in range(size, 0, -1) for begin in range(size - length + 1)
    )


def _rivals(flow: Flow, one: PhraseRule, other: PhraseRule) -> bool:
    return one.event != other.event and flow.events[one.event].priority == flow.events[other.event].priority


def _both(flow: Flow, text: str, pair: frozenset[int]) -> bool:
    """Whether the classifier itself, given the text, proposes one of the rules and matches the other."""
    said = [Fragment(text)]
    proposal, matched = classify(flow, said), {hit.rule_index for hit in hits(flow, said)}
    return proposal.reason == "rule" and pair <= matched


def _finding(flow: Flow, text: str, longer: int, phrase: str, shorter: int) -> Finding:
    """`longer` is the rule that has the text, `shorter` the one whose phrase stands in it."""
    first, second = (flow.understanding[place].event for place in sorted((longer, shorter)))
    return finding(
        "C1",
        Where(None, first),
        witness={"text": text},
        fixes=tuple(_fixes(flow, text, longer, phrase, shorter)),
        text=text,
        other=second,
        phrase=phrase,
    )


def _fixes(flow: Flow, text: str, longer: int, phrase: str, shorter: int) -> Iterator[Fix]:
    specific, general = flow.understanding[longer], flow.understanding[shorter]
    if words(text) != words(phrase):
        edit = {"op": "add_phrase", "event": general.event, "phrase": text, "among": "none", "at": shorter}
        yield Fix("exclude_phrase", edit)
    elif len(general.any) > 1:
        yield Fix("delete_phrase", {"op": "delete_phrase", "event": general.event, "phrase": phrase, "among": "any"})
    if specific.event == flow.general_message:
        return  # it has to stay the weakest
    taken = {event.priority for event in flow.events.values()}
    free = next(value for value in count(flow.events[specific.event].priority + 1) if value not in taken)
    if free <= STRONGEST:
        yield Fix("raise_priority", {"op": "set_event", "id": specific.event, "field": "priority", "value": free})
