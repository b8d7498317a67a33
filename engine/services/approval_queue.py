"""What waits for a person's approval, with what is to be known before deciding: the oldest first."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.core.errors import NotFound
from engine.core.flow import Flow, Millis
from engine.core.windows import window_open
from engine.runtime import Runtime
from engine.services.live_cards import Card, card
from engine.store import approvals, board
from engine.store.approvals import Approval
from engine.store.connection import Tx

__all__ = ["MOST", "Queue", "Waiting", "belongs", "in_conversation", "pulse", "queue"]

MOST = 50
"""Requests of one page."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A request with its conversation as a card. `sendable`: the 24 hours are open, or every message has its template."""

    asked: Approval
    card: Card
    flow: Flow
    sendable: bool

    @property
    def expires_at(self) -> Millis | None:
        """When the state's own deadline lets it expire; None while somebody holds the chat, for the clock stands then."""
        return None if self.card.paused_until is not None else self.card.deadline_at


@dataclass(frozen=True, slots=True)
class Queue:
    """The page: as many as it shows, how many there are in all, and the flows that have any."""

    waiting: tuple[Waiting, ...]
    total: int
    flows: tuple[str, ...]
    pulse: str
    now: Millis


async def queue(runtime: Runtime, flow: str = "") -> Queue:
    """What waits, in one flow or in all of them."""
    now = runtime.clock.now()

    def unit(tx: Tx) -> Queue:
        found = approvals.pending(tx, flow or None, MOST)
        flows = tuple(approvals.flows(tx))
        return Queue(_shown(tx, runtime, found, now), approvals.count(tx), flows, _pulse(tx), now)

    return await runtime.store.read(unit)


async def in_conversation(runtime: Runtime, conversation_id: int) -> Waiting | None:
    """What waits in one conversation."""
    now = runtime.clock.now()

    def unit(tx: Tx) -> Waiting | None:
        found = approvals.pending_of(tx, conversation_id)
        return None if found is None else next(iter(_shown(tx, runtime, [found], now)), None)

    return await runtime.store.read(unit)


async def belongs(runtime: Runtime, conversation_id: int, approval_id: int) -> None:
    """Raises NotFound for a request of another conversation, or of none."""
    found = await runtime.store.read(lambda tx: approvals.get(tx, approval_id))
    if found is None or found.conversation_id != conversation_id:
        raise NotFound("approval", approval_id)


async def pulse(runtime: Runtime) -> str:
    """Another text whenever a request came, went or was given more time."""
    return await runtime.store.read(_pulse)


def _pulse(tx: Tx) -> str:
    return ".".join(map(str, approvals.marks(tx)))


def _shown(tx: Tx, runtime: Runtime, found: Sequence[Approval], now: Millis) -> tuple[Waiting, ...]:
    rows = {int(row["id"]): row for row in board.cards_of(tx, [one.conversation_id for one in found])}
    shown = []
    for one in found:
        row = rows[one.conversation_id]
        flow = runtime.flows.within(tx, one.flow, int(row["flow_version"]))
        made = card(row, now, flow)
        beside = {bubble.place for bubble in one.content if bubble.payload.get("template")}
        covered = {bubble.place for bubble in one.content} <= beside
        open_now = not made.windowed or window_open(int(row["last_inbound_at"]), now)
        shown.append(Waiting(one, made, flow, open_now or covered))
    return tuple(shown)
