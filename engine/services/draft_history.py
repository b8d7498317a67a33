"""Notes each change of a draft with what it made of the document, so that it can be taken back later."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from engine.core.canonical import canonical
from engine.core.flow import Millis
from engine.core.patching import Step, as_data, patch
from engine.core.permissions import Actor
from engine.store import draft_changes
from engine.store.connection import Tx
from engine.store.flows import Draft

__all__ = ["Turned", "note", "said"]

Turned: TypeAlias = Callable[[Tx, int, Sequence[Step]], None]
"""Told, in the transaction that stores it, of a change that was taken back or made again: the revision and the steps."""
_SAID = ("op", "id", "field", "name", "event", "phrase", "state", "piece")


def said(changes: Sequence[Mapping[str, object]]) -> dict[str, object]:
    """Edits in few words: the first one without its values, and how many there are."""
    first = changes[0] if changes else {}
    return {**{key: first[key] for key in _SAID if key in first}, "count": len(changes)}


def note(
    tx: Tx, before: Draft, text: str, revision: int, *, actor: Actor, now: Millis, what: Mapping[str, object]
) -> None:
    """Note that the draft became `text`, in the transaction that stored it. A document that came whole is a change like
    any other.
    """
    steps = patch(json.loads(before.document), json.loads(text))
    draft_changes.add(
        tx,
        flow=before.slug,
        who=actor.who,
        at=now,
        made=revision,
        what=canonical(what),
        patch=json.dumps(as_data(steps), ensure_ascii=False, separators=(",", ":")),
    )
