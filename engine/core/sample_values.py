"""Values that fill the gaps of a text where there is no customer: an example for each name that a text may say."""

from collections.abc import Mapping

from engine.core.flow import HOUR, FieldType, Flow, Value
from engine.core.templating import LEFT_AT

__all__ = ["sample_values"]

_INSTANT = 1_785_596_400_000
"""A Saturday at noon in São Paulo."""
_CONTACT: Mapping[str, Value] = {
    "contact.name": "Bruna Azeredo",
    "contact.first_name": "Bruna",
    "contact.phone": "+55 11 90000-0142",
    "contact.email": "bruna@exemplo.com.br",
    "contact.language": "pt-BR",
    "contact.timezone": "America/Sao_Paulo",
    "contact.tracking": "anuncio-7",
    "contact.tags": ("aluna",),
}
_BY_TYPE: Mapping[FieldType, Value] = {
    FieldType.INT: 2,
    FieldType.DOUBLE: 2.5,
    FieldType.BOOL: True,
    FieldType.TEXT: "abc",
    FieldType.TIMESTAMP: _INSTANT,
    FieldType.DURATION: 2 * HOUR,
    FieldType.LIST: ("um", "dois"),
    FieldType.MONEY: 29_700,
}


def sample_values(flow: Flow) -> Mapping[str, Value]:
    """By flat name (`toques`, `event.transacao`, `contact.name`); a field's own default where it says something."""
    found: dict[str, Value] = {**_CONTACT, LEFT_AT: flow.initial, "state_age": 2 * HOUR, "last_inbound": _INSTANT}
    for field in flow.context.values():
        found[field.name] = field.default or (field.values[0] if field.values else _BY_TYPE.get(field.type))
    for event in flow.events.values():
        found |= {f"event.{name}": _BY_TYPE.get(kind) for name, kind in event.data.items()}
    return found
