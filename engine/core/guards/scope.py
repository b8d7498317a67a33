"""Which names a guard may read where: context fields, event data, contact fields and the clock's own values."""

from collections.abc import Mapping

from engine.core.flow import Field, FieldType, Flow
from engine.core.guards.kinds import FIELD_DURATION_MAX, Declared, Kind, Scope
from engine.core.splits import POINT

KINDS: Mapping[FieldType, Kind] = {
    FieldType.INT: Kind.INT,
    FieldType.DOUBLE: Kind.DOUBLE,
    FieldType.BOOL: Kind.BOOL,
    FieldType.TEXT: Kind.TEXT,
    FieldType.ENUM: Kind.TEXT,
    FieldType.TIMESTAMP: Kind.TIMESTAMP,
    FieldType.DURATION: Kind.DURATION,
    FieldType.LIST: Kind.LIST,
    FieldType.MONEY: Kind.INT,
}

CONTACT: Mapping[str, Declared] = {
    **{
        f"contact.{name}": Declared(Kind.TEXT, optional=True)
        for name in ("name", "first_name", "phone", "email", "language", "timezone", "tracking")
    },
    "contact.tags": Declared(Kind.LIST),
}

CLOCK: Mapping[str, Declared] = {
    "state_age": Declared(Kind.DURATION, min=0, max=FIELD_DURATION_MAX),
    "last_inbound": Declared(Kind.TIMESTAMP, min=0, past=True),
}


def declare(fields: Mapping[str, Field], event_data: Mapping[str, FieldType]) -> Scope:
    """The scope of a guard: context fields by their names, `event.*`, `contact.*`, `state_age`, `last_inbound`.

    What comes with an event may always be missing: a medium has no text, a platform leaves a field out, and an event
    that falls back to this one carries its own data or none (R2).
    """
    data = {f"event.{name}": Declared(KINDS[kind], optional=True) for name, kind in event_data.items()}
    return {**_context(fields), **data, **CONTACT, **CLOCK}


def scope_of(flow: Flow, event_name: str) -> Scope:
    """The scope of every arrow on an event, as the prover must see it."""
    own = flow.events[event_name].data if event_name in flow.events else {}
    points = {f"contact.{b.field}": POINT for b in flow.branches.values() if b.arrow.on == event_name}
    return {**declare(flow.context, own), **points}


def _context(fields: Mapping[str, Field]) -> dict[str, Declared]:
    return {
        name: Declared(
            KINDS[field.type], optional=field.optional, min=field.min, max=field.max, values=tuple(field.values)
        )
        for name, field in fields.items()
    }
