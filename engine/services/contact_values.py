"""A contact's row as the names that guards and texts may use (`contact.first_name`)."""

import json
from collections.abc import Mapping

from engine.core.flow import Value
from engine.core.splits import KEY


def values(row: Mapping[str, object]) -> dict[str, Value]:
    """Only what is set; `first_name` is the first word of the name. `id` decides which branch of a split is taken."""
    name = row["name"] if isinstance(row["name"], str) else None
    tags = json.loads(str(row["tags"]))
    given: dict[str, Value] = {
        KEY: int(str(row["id"])),
        "name": name,
        "first_name": name.split()[0] if name and name.split() else None,
        "phone": _text(row["phone"]),
        "email": _text(row["email"]),
        "language": _text(row["language"]),
        "tracking": _text(row["tracking"]),
        "tags": tuple(tags),
    }
    return {key: value for key, value in given.items() if value is not None}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
