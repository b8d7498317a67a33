"""An answer to numbered choices means the button that it names, as a tap on it would (R24)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engine.adapters.channels.registry import CHANNELS
from engine.core.choices import LONGEST, chosen
from engine.core.folding import words
from engine.store import sent
from engine.store.connection import Tx
from engine.store.conversations import Conversation
from engine.store.inbox import Waiting

NUMBERED = frozenset(kind for kind, channel in CHANNELS.items() if not channel.capabilities.choices)
"""The kinds of channel that write choices as numbered lines."""


def understood(tx: Tx, conversation: Conversation, waiting: Sequence[Waiting]) -> list[Waiting]:
    """The messages, each text that names a choice of the latest numbered message with that choice's id.

    Only of a message that left since the conversation came to its state: older choices say nothing about now.
    """
    texts = [w for w in waiting if w.kind == "text" and w.text and 0 < len(words(w.text)) <= LONGEST]
    if not texts:
        return list(waiting)
    payload = sent.latest_choices(tx, conversation.id, conversation.snapshot.entered_at, NUMBERED)
    if payload is None:
        return list(waiting)
    choices: Sequence[Any] = payload.get("buttons") or (payload.get("menu") or {}).get("rows") or ()
    titles = [str(choice["title"]) for choice in choices]
    meant = {w.id: place for w in texts if (place := chosen(w.text or "", titles)) is not None}
    return [replace(w, button_id=str(choices[meant[w.id]]["id"])) if w.id in meant else w for w in waiting]
