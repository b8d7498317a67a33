"""What is connected to other systems, channels and payment sources: the same rows in two tables, found by their names.

Secrets are sealed before they come here and stay sealed.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from engine.core.canonical import canonical
from engine.core.flow import Millis
from engine.store.connection import Tx

__all__ = ["Connected", "ConnectedTable"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Connected:
    """What both rows have. `kind` is the kind of channel or the payment platform, `token` ends the webhook address."""

    id: int
    kind: str
    name: str
    token: str
    flow: str
    settings: Mapping[str, str]
    sealed: Mapping[str, str]
    created_at: Millis


Row = TypeVar("Row", bound=Connected)
_DOCUMENTS = ("settings", "sealed", "events")


class ConnectedTable(ABC, Generic[Row]):
    """One of the two tables; `columns` are those that a `row` is made of."""

    name: str
    columns: str
    row: type[Row]

    @abstractmethod
    def add(self, tx: Tx, *, kind: str, name: str, token: str, flow: str, now: Millis) -> int:
        """One without settings; returns its id. Raises Conflict when name or token are taken."""

    def save(self, tx: Tx, row: Row) -> None:
        """Replace what may change. Raises Conflict when the name is taken."""
        tx.run(
            f"UPDATE {self.name} SET name = :name, flow = :flow, settings = :settings, secrets = :sealed WHERE id = :id",
            id=row.id,
            name=row.name,
            flow=row.flow,
            settings=canonical(row.settings),
            sealed=canonical(row.sealed),
        )

    def by_token(self, tx: Tx, token: str) -> Row | None:
        """The one whose webhook address has this token."""
        return self._first(tx, "AND token = :token", token=token)

    def by_id(self, tx: Tx, row_id: int) -> Row | None:
        """The one with an id, unless it was removed."""
        return self._first(tx, "AND id = :id", id=row_id)

    def by_name(self, tx: Tx, name: str) -> Row | None:
        """The one with a name."""
        return self._first(tx, "AND name = :name", name=name)

    def everything(self, tx: Tx) -> list[Row]:
        """All in use, by name."""
        return self._found(tx, "ORDER BY name")

    def remove(self, tx: Tx, row_id: int, now: Millis) -> None:
        """Out of use: its secrets are gone, its name and its token are free again; what refers to it keeps its id."""
        tx.run(
            f"UPDATE {self.name} SET removed_at = :now, secrets = '{{}}', token = :token, name = name || :mark"
            " WHERE id = :id AND removed_at IS NULL",
            id=row_id,
            now=now,
            token=f"removed {row_id}",
            mark=f" ({row_id})",
        )

    def _first(self, tx: Tx, rest: str, **params: object) -> Row | None:
        return next(iter(self._found(tx, rest, **params)), None)

    def _found(self, tx: Tx, rest: str, **params: object) -> list[Row]:
        sql = f"SELECT {self.columns} FROM {self.name} WHERE removed_at IS NULL {rest}"
        return [self.row(**_read(row)) for row in tx.rows(sql, **params)]


def _read(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: json.loads(value) if name in _DOCUMENTS else value for name, value in row.items()}
