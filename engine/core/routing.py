"""Which of a person's cycles a message belongs to, and by which rule: one decision for a message, made in one place (R71).

The rules, in order: the answer to a message of a cycle goes there (`reply`), and so does a tap on a button of its flow
(`button`). A campaign word (`word`) or an advert (`ad`) leads to the flow that names it. What says none of this goes to
the cycle that is not finished and in which something was said last (`going_on`), among those that this channel speaks
with, and at last to the channel's own flow (`entry`). A route without a cycle opens one.

A campaign opens a new cycle beside a finished one of the same flow, but never beside one that the person left by asking
to stop: who wants no more messages has to say so again (R73).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.core.elements import State
from engine.core.flow import Flow, Millis, StateKind
from engine.core.folding import words

__all__ = ["Campaign", "Route", "Said", "Standing", "campaign", "claimed_twice", "ended", "route"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One current cycle of the person. `buttons` are the ids that its flow's messages may carry."""

    id: int
    flow: str
    channel_id: int | None
    active_at: Millis
    finished: bool = False
    stopped: bool = False
    buttons: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Campaign:
    """A message names a flow: `by` is word or ad, `what` the word or the advert's id."""

    flow: str
    by: str
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What of a message matters here. `flow` is its channel's, `quoted` the cycle whose message it answers."""

    channel_id: int | None
    flow: str
    quoted: int | None = None
    button: str | None = None
    campaign: Campaign | None = None


@dataclass(frozen=True, slots=True)
class Route:
    """Where it goes: a cycle, or a new one of the flow. `by` is the rule, `what` the word or advert that named it."""

    by: str
    flow: str
    cycle: int | None
    what: str | None = None

    def __str__(self) -> str:
        return self.by if self.what is None else f"{self.by}:{self.what}"


def route(said: Said, standing: Sequence[Standing]) -> Route:
    """The first rule that applies. `standing` has at most one cycle a flow."""
    if (quoted := _newest(s for s in standing if s.id == said.quoted)) is not None:
        return Route("reply", quoted.flow, quoted.id)
    if said.button is not None and (tapped := _newest(s for s in standing if said.button in s.buttons)) is not None:
        return Route("button", tapped.flow, tapped.id)
    if (named := said.campaign) is not None:
        own = _newest(s for s in standing if s.flow == named.flow and (s.stopped or not s.finished))
        return Route(named.by, named.flow, None if own is None else own.id, named.what)
    going = (s for s in standing if not s.finished and (s.flow == said.flow or s.channel_id in (None, said.channel_id)))
    if (newest := _newest(going)) is not None:
        return Route("going_on", newest.flow, newest.id)
    own = _newest(s for s in standing if s.flow == said.flow)
    return Route("entry", said.flow, None if own is None else own.id)


def ended(state: State | None) -> tuple[bool, bool]:
    """Whether a cycle in this state is finished, and whether it is because the person asked to stop."""
    kind = StateKind.NORMAL if state is None else state.kind
    return kind in (StateKind.FINAL, StateKind.OPTOUT), kind is StateKind.OPTOUT


def campaign(flows: Iterable[Flow], text: str, advert: str | None, first: str) -> Campaign | None:
    """The flow that a message names, by an advert before a word, by the longest word; `first` wins among equals."""
    ranked = sorted(flows, key=lambda flow: (flow.slug != first, flow.slug))
    if advert is not None:
        for flow in ranked:
            if advert in flow.entry.ads:
                return Campaign(flow.slug, "ad", advert)
    if not any(flow.entry.words for flow in ranked):
        return None
    line = words(text)
    found = [(len(wanted), flow, word) for flow in ranked for word, wanted in flow.campaign_words if _in(wanted, line)]
    if not found:
        return None
    _, flow, word = max(found, key=lambda each: each[0])
    return Campaign(flow.slug, "word", word)


def claimed_twice(flow: Flow, others: Iterable[Flow]) -> list[Campaign]:
    """What leads to this flow and to another one too: there a message goes by the order of `campaign` alone."""
    mine = {folded: word for word, folded in flow.campaign_words}
    found = []
    for other in sorted(others, key=lambda each: each.slug):
        same = (mine[folded] for _, folded in other.campaign_words if folded in mine)
        found += [Campaign(other.slug, "word", word) for word in same]
        found += [Campaign(other.slug, "ad", advert) for advert in sorted(flow.entry.ads & other.entry.ads)]
    return found


def _newest(standing: Iterable[Standing]) -> Standing | None:
    return max(standing, key=lambda s: (s.active_at, s.id), default=None)


def _in(wanted: tuple[str, ...], line: tuple[str, ...]) -> bool:
    size = len(wanted)
    return any(line[at : at + size] == wanted for at in range(len(line) - size + 1))
