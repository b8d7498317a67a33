"""Connections, channels and payment sources alike: adding, changing and removing one, and finding it again.

A change by one process holds for the next webhook of every other, but for what `engine/services/doors.py` remembers.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from engine.adapters.secrets import Vault
from engine.core.errors import Conflict, NotFound, Refused
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.services.connections import Keys, merged, sealed, sorted_out, usable_flow, usable_name, usable_token
from engine.store import audit
from engine.store.connected import Connected, ConnectedTable
from engine.store.connection import Tx

__all__ = ["Connections"]

Row = TypeVar("Row", bound=Connected)
Record = TypeVar("Record")
Values = Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Connections(Generic[Row, Record]):
    """All of one sort. Messages name it as `called`, the audit log as `topic`, where `kind` is the word for its kinds.

    `keys` are those that a kind takes (NotFound where there is no such kind), `settled` is a row with given settings
    (Refused where a value cannot be one), `record` one with its secrets opened.
    """

    table: ConnectedTable[Row]
    called: str
    topic: str
    kind: str
    keys: Callable[[str], Keys]
    settled: Callable[[Tx, Row, Values], Row]
    record: Callable[[Vault, Row], Record]

    async def add(
        self,
        runtime: Runtime,
        kind: str,
        name: str,
        flow: str,
        actor: Actor,
        *,
        token: str | None = None,
        values: Values | None = None,
    ) -> Record:
        """A new one.

        Raises NotFound (kind, flow) and Refused: name_unusable, name_or_token_taken, token_unusable, key_unknown,
        value_too_long, base_url_unreadable, number_unreadable, and the codes of `settled`.
        """
        keys, plain, own, given = self.keys(kind), usable_name(name), usable_token(runtime, token), values or {}
        settings, secrets = sorted_out(given, keys)
        now = runtime.clock.now()

        def unit(tx: Tx) -> Row:
            row_id = self.table.add(tx, kind=kind, name=plain, token=own, flow=usable_flow(tx, flow), now=now)
            facts = {self.kind: kind, "flow": flow, "keys": sorted(given)}
            audit.note(tx, now, actor, f"{self.topic}.added", subject=plain, facts=facts)
            return self._kept(tx, runtime.vault, self._there(tx, row_id), settings, secrets)

        return await self._written(runtime, unit)

    async def change(
        self,
        runtime: Runtime,
        row_id: int,
        actor: Actor,
        *,
        name: str | None = None,
        flow: str | None = None,
        values: Values | None = None,
    ) -> Record:
        """Change one; an empty value takes a key away. Raises as `add` does, and NotFound."""
        now, given = runtime.clock.now(), values or {}

        def unit(tx: Tx) -> Row:
            stored = self._there(tx, row_id)
            settings, secrets = sorted_out(given, self.keys(stored.kind))
            facts = {"name": name, "flow": flow, "keys": sorted(given)}
            audit.note(tx, now, actor, f"{self.topic}.changed", subject=stored.name, facts=facts)
            changed = replace(
                stored,
                name=stored.name if name is None else usable_name(name),
                flow=stored.flow if flow is None else usable_flow(tx, flow),
            )
            return self._kept(tx, runtime.vault, changed, settings, secrets)

        return await self._written(runtime, unit)

    async def remove(self, runtime: Runtime, row_id: int, actor: Actor) -> None:
        """Take one out of use; its webhook address is unknown from now on. Raises NotFound."""
        now = runtime.clock.now()

        def unit(tx: Tx) -> None:
            stored = self._there(tx, row_id)
            self.table.remove(tx, row_id, now)
            audit.note(tx, now, actor, f"{self.topic}.removed", subject=stored.name)

        await runtime.store.write(self.table.name, unit)
        runtime.doors.clear()

    def by_token(self, tx: Tx, vault: Vault, token: str) -> Record | None:
        """The one whose webhook address has this token, or None."""
        stored = self.table.by_token(tx, token)
        return None if stored is None else self.record(vault, stored)

    async def by_id(self, runtime: Runtime, row_id: int) -> Record:
        """The one with an id. Raises NotFound."""
        # No database holds a larger number, and one of them refuses to be asked for it.
        known = 0 < row_id < 2**31
        stored = await runtime.store.read(lambda tx: self.table.by_id(tx, row_id)) if known else None
        if stored is None:
            raise NotFound(self.called, row_id)
        return self.record(runtime.vault, stored)

    async def by_name(self, runtime: Runtime, name: str) -> Record:
        """The one with a name. Raises NotFound."""
        stored = await runtime.store.read(lambda tx: self.table.by_name(tx, name))
        if stored is None:
            raise NotFound(self.called, name)
        return self.record(runtime.vault, stored)

    async def everything(self, runtime: Runtime) -> list[Record]:
        """All in use, by name."""
        return [self.record(runtime.vault, stored) for stored in await runtime.store.read(self.table.everything)]

    async def _written(self, runtime: Runtime, unit: Callable[[Tx], Row]) -> Record:
        try:
            stored = await runtime.store.write(self.table.name, unit)
        except Conflict:
            raise Refused("name_or_token_taken") from None
        runtime.doors.clear()
        return self.record(runtime.vault, stored)

    def _kept(self, tx: Tx, vault: Vault, stored: Row, settings: Values, secrets: Values) -> Row:
        """The row as it is read after its values were stored."""
        hidden = merged(stored.sealed, sealed(vault, self.table.name, stored.id, secrets))
        self.table.save(tx, replace(self.settled(tx, stored, settings), sealed=hidden))
        return self._there(tx, stored.id)

    def _there(self, tx: Tx, row_id: int) -> Row:
        stored = self.table.by_id(tx, row_id)
        if stored is None:
            raise NotFound(self.called, row_id)
        return stored
