"""Settings of the installation by name; each value is JSON."""

import json

from engine.core.canonical import canonical
from engine.store.connection import Tx

__all__ = ["set_value", "value"]


def value(tx: Tx, name: str) -> object:
    """The value of a setting, None when it was never set."""
    found = tx.value("SELECT value FROM setting WHERE name = :name", name=name)
    return None if found is None else json.loads(found)


def set_value(tx: Tx, name: str, value: object) -> None:
    """Set a setting to a value that JSON can say."""
    tx.run(
        "INSERT INTO setting (name, value) VALUES (:name, :value)"
        " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        name=name,
        value=canonical(value),
    )
