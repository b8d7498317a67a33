"""Conversations a page at a time, and what hangs on those of a page: events, letters, messages."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.core.flow import Millis
from engine.store.connection import Tx
from engine.store.examination.rows import by_conversation

__all__ = ["Conversation", "Event", "Letter", "Message", "events", "letters", "merged", "messages", "pages"]

_PAGE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """Where a conversation stands, and the end of its chain. `context` is text."""

    id: int
    contact_id: int
    flow: str
    flow_version: int
    state: str
    previous: str | None
    context: str
    entered_at: Millis
    deadline_at: Millis | None
    rung: int
    log_n: int
    log_hash: str
    salt: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """An event and what became of it; `processed_at` is None while it waits."""

    id: str
    conversation_id: int
    processed_at: Millis | None
    outcome: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """One part of a send, and what asked for it."""

    id: int
    conversation_id: int
    contact_id: int
    event_id: str | None
    action: str
    part: int
    parts: int
    cause: str
    status: str
    once_key: str | None
    author: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message that an event took."""

    id: int
    conversation_id: int
    contact_id: int
    provider_id: str
    event_id: str


def pages(tx: Tx) -> Iterator[list[Conversation]]:
    """Every conversation, by id, so many at a time that all that hangs on them fits in memory."""
    last = 0
    sql = """SELECT id, contact_id, flow, flow_version, state, previous, context, entered_at, deadline_at, rung, log_n,
               log_hash, salt FROM conversation WHERE id > :last ORDER BY id LIMIT :page"""
    while rows := tx.rows(sql, last=last, page=_PAGE):
        yield [Conversation(**row) for row in rows]
        last = rows[-1]["id"]


def merged(tx: Tx) -> dict[int, int]:
    """Of each contact that turned out to be another one, the contact who has everything of it now."""
    rows = tx.rows("SELECT id, merged_into FROM contact WHERE merged_into IS NOT NULL")
    return {row["id"]: row["merged_into"] for row in rows}


def events(tx: Tx, conversations: Sequence[int]) -> dict[int, list[Event]]:
    """The events of each of these conversations, by id."""
    return by_conversation(
        tx,
        Event,
        """SELECT id, conversation_id, processed_at, outcome FROM event
           WHERE conversation_id IN :ids ORDER BY id""",
        conversations,
    )


def letters(tx: Tx, conversations: Sequence[int]) -> dict[int, list[Letter]]:
    """The letters of each of these conversations, in order."""
    return by_conversation(
        tx,
        Letter,
        """SELECT id, conversation_id, contact_id, event_id, action, part, parts, cause, status, once_key, author
           FROM outbox WHERE conversation_id IN :ids ORDER BY id""",
        conversations,
    )


def messages(tx: Tx, conversations: Sequence[int]) -> dict[int, list[Message]]:
    """The messages of each of these conversations that an event took, in order of arrival."""
    return by_conversation(
        tx,
        Message,
        """SELECT id, conversation_id, contact_id, provider_id, event_id FROM inbound
           WHERE conversation_id IN :ids AND event_id IS NOT NULL ORDER BY id""",
        conversations,
    )
