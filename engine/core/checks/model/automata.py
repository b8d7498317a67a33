"""One small automaton for each kind of rule (R1 to R3, R5 to R8): it reads a run step by step and says when it breaks.

The state of an automaton is a number from 0; `BROKEN` is the end. `letter` turns a step into what the automaton needs
to know of it, None where the step changes nothing. A larger number allows at
least the same violations, so a search keeps only the largest for each node (dominance).
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from engine.core.checks.model.product import Label
from engine.core.flow import Agent, Flow, Rule, Send, Source

BROKEN = -1
Letter: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Automaton:
    """`start` for a run that begins in the flow's initial state; `after` of a state and a letter."""

    start: int
    letter: Callable[[Label], Letter | None]
    after: Callable[[int, Letter], int]


def automaton(flow: Flow, rule: Rule) -> Automaton:
    """The automaton of a rule; not for `window`, which needs ages (`window`)."""
    return _MADE[rule.kind](flow, rule.body)


def names(value: object) -> tuple[str, ...]:
    """One name or several, as the document writes them."""
    return tuple(map(str, value)) if isinstance(value, list | tuple) else (str(value),)


def table(value: object) -> Mapping[str, object]:
    """A part of a rule's body that was checked to be a table."""
    return value if isinstance(value, Mapping) else {}


def whole(value: object) -> int:
    """A number of a rule's body that was checked to be whole."""
    return value if isinstance(value, int) else 0


def sends(flow: Flow, do: Iterable[str]) -> int:
    """How many of the actions say something to the lead."""
    return sum(isinstance(flow.actions[name], Send | Agent) for name in do)


def _never(flow: Flow, body: Mapping[str, object]) -> Automaton:
    """R1: state 1 is "it has happened"; from the next step on the action breaks it. `unless` actions lift the ban."""
    after, banned = table(body["after"]), str(table(body["never"])["do"])
    lifting = frozenset(names(body.get("unless", ())))

    def letter(step: Label) -> Letter | None:
        found = (_happens(after, step), banned in step.do, not lifting.isdisjoint(step.do))
        return tuple(map(int, found)) if any(found) else None

    def next_(state: int, read: Letter) -> int:
        happens, does, lifts = read
        if state and does and not lifts:
            return BROKEN
        return int(bool(happens or (state and not lifts)))

    return Automaton(int(after.get("state") == flow.initial), letter, next_)


def _always(flow: Flow, body: Mapping[str, object]) -> Automaton:
    """R2."""
    del flow
    event, targets = str(body["always"]), names(body["leads_to"])
    return Automaton(
        0, lambda step: (1,) if step.counts_as(event) and step.to not in targets else None, lambda *_: BROKEN
    )


def _sends(flow: Flow, body: Mapping[str, object]) -> Automaton:
    """R3: what leaves on steps that are no message, since the last message."""

    def letter(step: Label) -> Letter | None:
        if step.source is Source.MESSAGE:
            return (0,)
        count = sends(flow, step.do)
        return (count,) if count else None

    return _counting(letter, whole(body["at_most"]))


def _at_most(flow: Flow, body: Mapping[str, object]) -> Automaton:
    """R5: executions; with `once_per` the engine itself does a value once, so only "never at all" can break."""
    name, most = str(body["do"]), whole(body["at_most"])
    once = flow.actions[name].once_per is not None

    def letter(step: Label) -> Letter | None:
        count = step.do.count(name)
        return (count,) if count and not (once and most) else None

    return _counting(letter, most)


def _counting(letter: Callable[[Label], Letter | None], most: int) -> Automaton:
    """Adds up; the letter (0,) begins again."""

    def next_(state: int, read: Letter) -> int:
        count = state + read[0] if read[0] else 0
        return BROKEN if count > most else count

    return Automaton(0, letter, next_)


def _only_after(flow: Flow, body: Mapping[str, object]) -> Automaton:
    """R6: state 1 is "not yet". The step's own event and the state that it leads to count as before its actions."""
    before, name = table(body["only_after"]), str(body["do"])

    def letter(step: Label) -> Letter | None:
        does = name in step.do
        if "do" in before:
            enabling = before["do"] in step.do
            early = does and not (enabling and step.do.index(str(before["do"])) < step.do.index(name))
        else:
            enabling = _happens(before, step)
            early = does and not enabling
        return (int(enabling), int(early)) if enabling or early else None

    def next_(state: int, read: Letter) -> int:
        enabling, early = read
        if state and early:
            return BROKEN
        return int(bool(state and not enabling))

    return Automaton(int(before.get("state") != flow.initial), letter, next_)


def _echo(flow: Flow, body: Mapping[str, object]) -> Automaton:
    """R7: answers to messages in a row; leaving the state begins again."""

    def letter(step: Label) -> Letter | None:
        if step.to != step.frm:
            return (0,)
        count = sends(flow, step.do) if step.source is Source.MESSAGE else 0
        return (count,) if count else None

    return _counting(letter, whole(body["echo"]))


def _nudge(flow: Flow, body: Mapping[str, object]) -> Automaton:
    """R8: state 1 is "the last message had no arrow"; letters: 0 answered, 1 unanswered, 2 a nudge."""
    del body

    def letter(step: Label) -> Letter | None:
        if step.source is Source.MESSAGE:
            return (int(step.arrow is None),)
        return (2,) if step.source is Source.CLOCK and sends(flow, step.do) else None

    def next_(state: int, read: Letter) -> int:
        if read[0] == 2:
            return BROKEN if state else 0
        return read[0]

    return Automaton(0, letter, next_)


def _happens(what: Mapping[str, object], step: Label) -> bool:
    if "event" in what:
        return step.counts_as(str(what["event"]))
    if "state" in what:
        return step.to == what["state"]
    done: Collection[str] = step.do
    return what.get("do") in done


_MADE: Mapping[str, Callable[[Flow, Mapping[str, object]], Automaton]] = {
    "never": _never,
    "always": _always,
    "sends_without_reply": _sends,
    "at_most": _at_most,
    "only_after": _only_after,
    "echo": _echo,
    "no_nudge_unanswered": _nudge,
}
