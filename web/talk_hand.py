"""What the panel offers for handling a conversation: giving it back, moving it, giving it to a colleague."""

from dataclasses import dataclass

from engine.core import sentences
from engine.core.flow import StateKind
from engine.core.hand_moves import ways
from engine.runtime import Runtime
from engine.services import assign
from engine.services.transcript import Page
from web import i18n

__all__ = ["Hand", "hand"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """`states` are where it may be put, (name, leaves the customer in peace for good); `arrows` (value, sentence) of those
    that do something on the way; `people` (number, name) of whom it may be given to; `zone` is the flow's.
    """

    states: tuple[tuple[str, bool], ...]
    arrows: tuple[tuple[str, str], ...]
    people: tuple[tuple[int, str], ...]
    zone: str


async def hand(runtime: Runtime, page: Page) -> Hand:
    """Everything, in the current language."""
    flow = page.flow
    return Hand(
        states=tuple(
            (name, state.kind is StateKind.OPTOUT) for name, state in flow.states.items() if name != page.state
        ),
        arrows=tuple(
            (f"{arrow.to}|{arrow.id}", sentences.transition_sentence(flow, arrow, i18n.current()))
            for arrow in ways(flow, page.state)
        )
        if page.opted_out_at is None
        else (),
        people=tuple((one.id, one.name or one.email) for one in await assign.colleagues(runtime)),
        zone=flow.timezone,
    )
