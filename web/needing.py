"""“Precisam de você”: whoever waits for a person, in all flows, who has waited longest first."""

from dataclasses import dataclass

from engine.core.flow import Flow, Look
from engine.runtime import Runtime
from engine.services import live, live_news
from web.desk_words import brief
from web.live_words import ShownCard, shown_card

__all__ = ["Needy", "needy"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Needy:
    """A card, for how long it has waited, and the first name, which is all that a notification says of anybody."""

    card: ShownCard
    waits: str
    first: str
    mark: str


async def needy(runtime: Runtime, *, phones: bool) -> tuple[Needy, ...]:
    """The list, in the current language."""
    now = runtime.clock.now()
    flows: dict[str, Flow] = {}
    shown = []
    for card, since in await live.waiting(runtime):
        if card.flow not in flows:
            counts = await live_news.totals(runtime, card.flow)
            if counts is not None:
                flows[card.flow] = await runtime.flow(card.flow, counts.number)
        flow = flows.get(card.flow)
        state = flow.states.get(card.state) if flow is not None else None
        look = state.look if state is not None else Look.HUMAN
        names = (card.name or "").split()
        shown.append(
            Needy(
                card=shown_card(card, now, look, phones=phones),
                waits=brief(max(0, now - since)),
                first=names[0] if names and names[0].isalpha() else "",
                mark=f"{card.id}-{since}",
            )
        )
    return tuple(shown)
