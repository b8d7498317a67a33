"""Any past moment of a conversation, from its log alone (R46).

Every row of a chain that changed the snapshot says under `after` in its facts what was different afterwards; the first
one says everything. Folding them in order gives the snapshot as it was after the last row given. Sensitive fields never
entered the log (R45), so the result is without them.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from engine.core.events import Snapshot

__all__ = ["rebuild", "without"]


def rebuild(facts: Iterable[Mapping[str, Any]]) -> Snapshot:
    """The snapshot after the last of these rows, given the facts of each row from the chain's first one on.

    Raises ValueError when the beginning is missing.
    """
    moment: dict[str, Any] = {}
    for row in facts:
        moment |= row.get("after") or {}
    missing = sorted(set(Snapshot.__slots__) - set(moment))
    if missing:
        raise ValueError(f"the log does not begin with a whole snapshot: {', '.join(missing)} missing")
    context = {name: tuple(v) if isinstance(v, list) else v for name, v in moment["context"].items()}
    return Snapshot(**{name: moment[name] for name in Snapshot.__slots__ if name != "context"}, context=context)


def without(snapshot: Snapshot, hidden: frozenset[str]) -> Snapshot:
    """The snapshot as far as the log may know it, to be compared with a rebuilt one."""
    context = {name: value for name, value in snapshot.context.items() if name not in hidden}
    plain = {name: getattr(snapshot, name) for name in Snapshot.__slots__}
    return Snapshot(**{**plain, "context": context})
