"""What the log knows of the selected state or arrow: how often it was taken, how people stand in it, what its variants sold."""

from dataclasses import dataclass

from engine.core.flow import Flow
from engine.runtime import Runtime
from engine.services import passages, splits
from engine.services.passages import Staying
from engine.services.splits import Results

__all__ = ["Numbers", "numbers"]


@dataclass(frozen=True, slots=True)
class Numbers:
    """`fired`: how often the arrow was taken in the last seven days. `stay`: how the conversations in the state stand.
    `split`: what became of the split that the arrow is a branch of. Each is None where nothing is live, or for another
    kind of thing.
    """

    fired: int | None = None
    stay: Staying | None = None
    split: Results | None = None


async def numbers(runtime: Runtime, slug: str, flow: Flow, sel: str, live: int | None) -> Numbers:
    """The numbers of `sel`, a state or an arrow of the draft."""
    kind, _, name = sel.partition(":")
    split = await splits.results(runtime, slug, name) if kind == "t" and name in flow.branches else None
    if live is None:
        return Numbers(split=split)
    if kind == "s" and name in flow.states:
        return Numbers(stay=await passages.stay(runtime, slug, name))
    if kind == "t" and name in flow.arrows:
        return Numbers(fired=await passages.fired(runtime, flow, flow.arrows[name]), split=split)
    return Numbers()
