"""A channel or a payment source is added or changed from its form; what was not taken comes back with the reason."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from engine.core.errors import NotFound, Refused
from engine.services.connect import Connections
from engine.services.connections import Keys
from web.connection_forms import Problem, added_values, changed_values, differing, problem_of
from web.visitor import AppRequest, visitor

__all__ = ["Wrong", "add", "change"]


class Named(Protocol):
    """The settings of one."""

    @property
    def name(self) -> str: ...
    @property
    def settings(self) -> Mapping[str, str]: ...


class Connected(Protocol):
    """One that is stored."""

    @property
    def id(self) -> int: ...
    @property
    def flow(self) -> str: ...
    @property
    def config(self) -> Named: ...


Record = TypeVar("Record", bound=Connected)


@dataclass(frozen=True, slots=True)
class Wrong:
    """A form that was not taken."""

    problem: Problem


async def add(
    request: AppRequest, known: Connections[Any, Record], kind: str, keys: Keys, typed: Mapping[str, str]
) -> Record | Wrong:
    """A new one of a kind."""
    try:
        values, actor = added_values(typed, keys), visitor(request).actor
        name, flow = typed.get("name", ""), typed.get("flow", "")
        return await known.add(request.app.state.runtime, kind, name, flow, actor, values=values)
    except (Refused, NotFound) as error:
        return Wrong(problem_of(error, keys, typed))


async def change(
    request: AppRequest, known: Connections[Any, Record], record: Record, keys: Keys, typed: Mapping[str, str]
) -> Wrong | None:
    """Write only what differs from what is stored, so that two people at different keys never meet.

    Raises NotFound when it is gone meanwhile.
    """
    runtime, stored = request.app.state.runtime, record.config
    name, flow = differing(typed.get("name"), stored.name), differing(typed.get("flow"), record.flow)
    try:
        values = changed_values(typed, keys, stored.settings)
        if values or name is not None or flow is not None:
            await known.change(runtime, record.id, visitor(request).actor, name=name, flow=flow, values=values)
    except (Refused, NotFound) as error:
        await known.by_id(runtime, record.id)
        return Wrong(problem_of(error, keys, typed))
    return None
