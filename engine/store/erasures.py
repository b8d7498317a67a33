"""The wish of erased people for no more messages, kept without their names (R73, SEC-S24)."""

from collections.abc import Callable, Iterable

from engine.core.flow import Millis
from engine.store.connection import Tx

__all__ = ["Marks", "any_kept", "keep", "remembered"]

Marks = Callable[[str], tuple[str, ...]]
"""What stands for a name, the digest to write first (`Vault.marks`)."""


def keep(tx: Tx, marks: Marks, names: Iterable[tuple[str, str]], now: Millis) -> None:
    """Remember the names (kind, value) of somebody who asked for no more messages."""
    for kind, value in names:
        tx.run(
            "INSERT INTO erased_name (digest, at) VALUES (:digest, :at) ON CONFLICT DO NOTHING",
            digest=marks(f"{kind}:{value}")[0],
            at=now,
        )


def any_kept(tx: Tx) -> bool:
    """Whether anybody is remembered at all."""
    return tx.value("SELECT 1 FROM erased_name LIMIT 1") is not None


def remembered(tx: Tx, marks: Marks, names: Iterable[tuple[str, str]]) -> bool:
    """Whether one of the names was somebody's who asked for no more messages before they were erased."""
    if not any_kept(tx):
        return False
    digests = [digest for kind, value in names for digest in marks(f"{kind}:{value}")]
    return bool(digests) and tx.value("SELECT 1 FROM erased_name WHERE digest IN :digests", digests=digests) is not None
