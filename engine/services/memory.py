"""What a text may remember of a person beyond the context: where they left off, and the code that their links carry (R70, R72)."""

from collections.abc import Iterable, Mapping

from engine.core.flow import Flow, Millis, Value
from engine.core.leaving import left_in, words_for
from engine.core.templating import LEFT_AT, TRACKING, mentions
from engine.runtime import Flows, Ids
from engine.store import contacts, cycles, views
from engine.store.connection import Tx
from engine.store.conversations import Conversation, load

__all__ = ["remembered"]

CODE_BYTES = 6
FAR_BACK = 200
"""Moves of one cycle that are looked through for where it was left."""


def remembered(
    tx: Tx,
    flows: Flows,
    ids: Ids,
    flow: Flow,
    conversation: Conversation,
    person: Mapping[str, object],
    actions: Iterable[str],
    now: Millis,
) -> dict[str, Value]:
    """The values that the texts of these actions use and nothing else knows, by their paths. A contact gets its code
    when a text first needs it.
    """
    wanted = frozenset[str]().union(*(mentions(flow)[name] for name in actions))
    found: dict[str, Value] = {}
    if TRACKING in wanted:
        code = person["tracking"] or contacts.track(tx, conversation.contact_id, f"t{ids.hex(CODE_BYTES)}", now)
        found[TRACKING] = str(code)
    if LEFT_AT in wanted:
        found[LEFT_AT] = _left_at(tx, flows, conversation, str(person["language"] or "pt-BR"))
    return found


def _left_at(tx: Tx, flows: Flows, conversation: Conversation, language: str) -> str | None:
    """From this cycle, if it was left once, else from the one before it in the same flow."""
    flow = flows.within(tx, conversation.flow, conversation.flow_version)
    state = left_in(flow, views.moves(tx, conversation.id, FAR_BACK))
    if state is None:
        earlier = cycles.earlier(tx, conversation.id, conversation.contact_id, conversation.flow)
        before = None if earlier is None else load(tx, earlier, lock=False)
        if before is None:
            return None
        flow = flows.within(tx, before.flow, before.flow_version)
        state = left_in(flow, views.moves(tx, before.id, FAR_BACK), before.snapshot.state)
    return None if state is None else words_for(flow, state, language)
