"""What each person copied last: one parcel of states a person."""

from engine.core.flow import Millis
from engine.store.connection import Tx

__all__ = ["held", "put"]


def put(tx: Tx, *, who: str, at: Millis, parcel: str) -> None:
    """Keep a parcel (JSON) in the place of the last one."""
    tx.run(
        "INSERT INTO clipboard (who, at, parcel) VALUES (:who, :at, :parcel)"
        " ON CONFLICT (who) DO UPDATE SET at = excluded.at, parcel = excluded.parcel",
        who=who,
        at=at,
        parcel=parcel,
    )


def held(tx: Tx, who: str) -> str | None:
    """The parcel, or None."""
    found = tx.value("SELECT parcel FROM clipboard WHERE who = :who", who=who)
    return None if found is None else str(found)
