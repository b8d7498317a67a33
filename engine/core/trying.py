"""What a text would do: which event it means, by which rule, and what comes of that in every state of the flow.

The same classifier and the same interpreter as in earnest, on a conversation that never was: its fields have their first
values, nobody is known by name, and the customer wrote this moment.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.core.classify import Fragment, Hit, Proposal, classify, hits
from engine.core.events import Event, Outcome, Snapshot, Step
from engine.core.flow import Flow, Millis, Source, Transition
from engine.core.interpreter import step

__all__ = ["Consequence", "Trial", "attempt"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Consequence:
    """What would happen in one state. `arrows` are those among which a condition or a share has to choose, none where
    there is nothing to choose; `counts_as` is the event that it was taken for in the end (R2).
    """

    state: str
    outcome: Outcome
    counts_as: str
    taken: Transition | None
    arrows: tuple[Transition, ...]
    opts_out: bool


@dataclass(frozen=True, slots=True)
class Trial:
    """`also` are the other rules that match, in the order in which they are tried."""

    texts: tuple[str, ...]
    proposal: Proposal
    also: tuple[Hit, ...]
    consequences: tuple[Consequence, ...]

    @property
    def asks_to_stop(self) -> bool:
        """Whether it was recognised as a request for no more messages (R75)."""
        return self.proposal.reason == "opt_out"


def attempt(flow: Flow, texts: Sequence[str], now: Millis) -> Trial:
    """Try one burst, each text a message of it."""
    fragments = [Fragment(text) for text in texts]
    proposal = classify(flow, fragments)
    also = tuple(hit for hit in hits(flow, fragments) if hit.rule_index != proposal.rule_index)
    event = Event(id="trial", type=proposal.event, source=Source.MESSAGE, at=now, data={"text": "\n".join(texts)})
    found = tuple(_consequence(flow, state, event, now, proposal) for state in flow.states)
    return Trial(tuple(texts), proposal, also, found)


def _consequence(flow: Flow, state: str, event: Event, now: Millis, proposal: Proposal) -> Consequence:
    standing = Snapshot(
        state=state,
        previous=None,
        context={field.name: field.default for field in flow.context.values() if field.default is not None},
        deadline_at=None,
        rung=0,
        entered_at=now,
        last_inbound_at=now,
    )
    done = step(flow, standing, event, now, {})
    return Consequence(
        state=state,
        outcome=done.outcome,
        counts_as=done.event_type,
        taken=done.taken,
        arrows=_to_choose_from(flow, state, event.type, done),
        opts_out=done.opts_out or proposal.event in flow.opt_out_events,
    )


def _to_choose_from(flow: Flow, state: str, event: str, done: Step) -> tuple[Transition, ...]:
    """The arrows that were looked at on the way, when any of them has a condition."""
    looked: list[Transition] = []
    for name in flow.fallbacks(event):
        for group in (flow.global_group(state, name), flow.own_group(state, name)):
            looked += group
            if done.taken is not None and done.taken in group:
                return tuple(looked) if any(map(_may_not_fire, looked)) else ()
    return tuple(looked)


def _may_not_fire(arrow: Transition) -> bool:
    return arrow.when is not None or arrow.otherwise or arrow.share is not None
