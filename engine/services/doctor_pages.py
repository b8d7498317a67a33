"""What the doctor reads about conversations, a page at a time, and what it must know of the published flows."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.store.connection import Tx

__all__ = ["Case", "Published", "cases", "published", "table"]

PAGE = 200
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Case:
    """A conversation with everything that hangs on it. `log` is its chain, facts read; in order."""

    row: Row
    log: list[Row]
    events: list[Row]
    letters: list[Row]
    messages: list[Row]


@dataclass(slots=True)
class Published:
    """What all published versions say: the states of each, and of each flow the sensitive fields and the sends."""

    states: dict[tuple[str, int], frozenset[str]] = field(default_factory=dict)
    secret: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    sends: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))


def published(tx: Tx) -> Published:
    """Read every version's document; an action is a send when every version that has it says so."""
    found, others = Published(), defaultdict[str, set[str]](set)
    for key in tx.rows("SELECT slug, number FROM flow_version ORDER BY slug, number"):
        slug, number = key["slug"], key["number"]
        text = tx.value("SELECT document FROM flow_version WHERE slug = :slug AND number = :number", **key)
        tree = table(text)
        found.states[slug, number] = frozenset(tree.get("states", ()))
        found.secret[slug] |= {n for n, f in tree.get("context", {}).items() if f.get("sensitive")}
        for name, action in tree.get("actions", {}).items():
            (found.sends if action["kind"] == "send" else others)[slug].add(name)
    for slug, names in others.items():
        found.sends[slug] -= names
    return found


def cases(tx: Tx) -> Iterator[Case]:
    """Every conversation, by id."""
    last = 0
    sql = """SELECT id, contact_id, flow, flow_version, state, previous, context, entered_at, deadline_at, rung, log_n,
               log_hash FROM conversation WHERE id > :last ORDER BY id LIMIT :page"""
    while page := tx.rows(sql, last=last, page=PAGE):
        ids = [row["id"] for row in page]
        log = _grouped(tx, "SELECT * FROM log WHERE n IS NOT NULL AND {} ORDER BY n", ids)
        events = _grouped(
            tx, "SELECT id, conversation_id, source, processed_at, outcome FROM event WHERE {} ORDER BY id", ids
        )
        letters = _grouped(
            tx,
            """SELECT id, conversation_id, contact_id, event_id, action, part, parts, cause, status, once_key, author
               FROM outbox WHERE {} ORDER BY id""",
            ids,
        )
        messages = _grouped(
            tx,
            """SELECT id, conversation_id, contact_id, provider_id, event_id, outcome FROM inbound WHERE {}
               AND event_id IS NOT NULL ORDER BY id""",
            ids,
        )
        for row in page:
            i = row["id"]
            yield Case(row, [_read(entry) for entry in log[i]], events[i], letters[i], messages[i])
        last = ids[-1]


def _grouped(tx: Tx, sql: str, ids: list[int]) -> dict[int, list[Row]]:
    found = defaultdict[int, list[Row]](list)
    for row in tx.rows(sql.format("conversation_id IN :ids"), ids=ids):
        found[row["conversation_id"]].append(row)
    return found


def _read(row: Row) -> Row:
    return {**row, "told": table(row["facts"])}


def table(text: str) -> dict[str, Any]:
    """JSON text as a table; an empty one when somebody made it unreadable, which the hashes and the replay show."""
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
