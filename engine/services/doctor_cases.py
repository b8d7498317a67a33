"""What the doctor knows of each conversation, and what it must know of the published flows."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.store.connection import Tx
from engine.store.examination import chains, conversations, versions
from engine.store.examination.chains import Logged
from engine.store.examination.conversations import Conversation, Event, Letter, Message

__all__ = ["Case", "Entry", "Published", "cases", "published", "table"]


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of the log, and what its facts tell."""

    row: Logged
    told: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Case:
    """A conversation with everything that hangs on it. `log` is its chain, in order. `erased`: its person was."""

    conversation: Conversation
    log: Sequence[Entry]
    events: Sequence[Event]
    letters: Sequence[Letter]
    messages: Sequence[Message]
    erased: bool = False


@dataclass(slots=True)
class Published:
    """What all published versions say: the states of each and those that ask a person, and of each flow the sensitive
    fields and the sends.
    """

    states: dict[tuple[str, int], frozenset[str]] = field(default_factory=dict)
    asking: dict[tuple[str, int], frozenset[str]] = field(default_factory=dict)
    secret: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    sends: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))


def published(tx: Tx) -> Published:
    """Read every version's document; an action is a send when every version that has it says so."""
    found, others = Published(), defaultdict[str, set[str]](set)
    for version in versions.published(tx):
        slug, tree = version.slug, table(version.document)
        found.states[slug, version.number] = frozenset(tree.get("states", ()))
        found.asking[slug, version.number] = frozenset(
            name for name, state in tree.get("states", {}).items() if (state or {}).get("kind") == "approval"
        )
        found.secret[slug] |= {n for n, f in tree.get("context", {}).items() if f.get("sensitive")}
        for name, action in tree.get("actions", {}).items():
            (found.sends if action["kind"] == "send" else others)[slug].add(name)
    for slug, names in others.items():
        found.sends[slug] -= names
    return found


def cases(tx: Tx) -> Iterator[Case]:
    """Every conversation, by id."""
    gone = chains.erasures(tx)
    for page in conversations.pages(tx):
        ids = [conversation.id for conversation in page]
        log, events = chains.log_rows(tx, ids), conversations.events(tx, ids)
        letters, messages = conversations.letters(tx, ids), conversations.messages(tx, ids)
        for conversation in page:
            i = conversation.id
            entries = [Entry(row, table(row.facts)) for row in log[i]]
            yield Case(conversation, entries, events[i], letters[i], messages[i], conversation.contact_id in gone)


def table(text: str) -> dict[str, Any]:
    """JSON text as a table; an empty one when somebody made it unreadable, which the hashes and the replay show."""
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
