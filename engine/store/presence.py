"""Who has which draft open: rows that live for a minute."""

from engine.core.flow import Millis
from engine.store.connection import Tx

__all__ = ["gone", "others", "seen"]


def seen(tx: Tx, *, flow: str, user_id: int, sel: str, at: Millis, since: Millis) -> None:
    """Somebody is there; whoever was last seen before `since` is forgotten, in every flow."""
    tx.run("DELETE FROM presence WHERE at < :since", since=since)
    tx.run(
        "INSERT INTO presence (flow, user_id, sel, at) VALUES (:flow, :user, :sel, :at)"
        " ON CONFLICT (flow, user_id) DO UPDATE SET sel = excluded.sel, at = excluded.at",
        flow=flow,
        user=user_id,
        sel=sel,
        at=at,
    )


def gone(tx: Tx, flow: str, user_id: int) -> None:
    """Somebody left."""
    tx.run("DELETE FROM presence WHERE flow = :flow AND user_id = :user", flow=flow, user=user_id)


def others(tx: Tx, flow: str, user_id: int, since: Millis) -> list[tuple[int, str]]:
    """(account, selection) of everybody else who was seen since, by account."""
    rows = tx.rows(
        "SELECT user_id, sel FROM presence WHERE flow = :flow AND user_id <> :user AND at >= :since ORDER BY user_id",
        flow=flow,
        user=user_id,
        since=since,
    )
    return [(int(row["user_id"]), str(row["sel"])) for row in rows]
