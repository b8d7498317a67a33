"""Where people are in the database: for every table, whose a row is, and what is left of it when somebody is erased.

One list for both: what is exported is what would be erased. Each column of the schema stands here or in `IMPERSONAL`
(a test reads the schema), so that a new column cannot be forgotten (SEC-S24).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["COUNTED", "IMPERSONAL", "TABLES", "Table"]

OF_PERSON = "contact_id IN :people"
OF_TALK = "conversation_id IN :talks"
OF_EITHER = f"({OF_PERSON} OR {OF_TALK})"
WAS_THERE = "CASE WHEN {0} IS NULL THEN NULL ELSE 'erased:' || id END"
"""Something stood there, and nobody can say what."""
OF_MESSAGE = f"inbound_id IN (SELECT id FROM inbound WHERE {OF_EITHER})"


@dataclass(frozen=True, slots=True)
class Table:
    """One table with people in it.

    `mine` finds a person's rows, with `:people` (ids of contacts) and `:talks` (of conversations). `left` is what each
    personal column becomes; a table without it loses the rows. `shown` are the columns of an export, in order.
    """

    name: str
    mine: str
    shown: tuple[str, ...]
    left: Mapping[str, str] = field(default_factory=dict)


TABLES = (
    Table(
        "contact",
        "id IN :people",
        ("id", "name", "phone", "email", "language", "tags", "opt_out_at", "paused_at", "paused_until", "paused_by",
         "tracking", "merged_into", "created_at"),
        {"name": "NULL", "phone": "NULL", "email": "NULL", "language": "NULL", "tags": "'[]'", "paused_at": "NULL",
         "paused_until": "NULL", "paused_by": "NULL", "tracking": "NULL", "erased_at": ":now"},
    ),
    Table("identity", OF_PERSON, ("kind", "value", "seen_as", "created_at")),
    Table("consent_proof", OF_PERSON, ("at", "source", "words", "who", "recorded_at")),
    Table(
        "conversation",
        OF_PERSON,
        ("id", "flow", "flow_version", "state", "context", "opened_at", "entered_at", "deadline_at", "last_inbound_at",
         "followed_by"),
        {"context": "'{}'", "deadline_at": "NULL", "due_at": "NULL", "oldest_pending_at": "NULL", "attention": "NULL",
         "lease_until": "0", "send_lease_until": "0", "followed_by": "id", "salt": "''", "version": "version + 1"},
    ),
    Table(
        "inbound",
        OF_EITHER,
        ("id", "conversation_id", "kind", "text", "button_id", "media", "at", "received_at", "edited_at", "deleted_at",
         "outcome", "reason"),
        {"provider_id": "'erased:' || id", "webhook_id": "NULL", "text": "NULL", "button_id": "NULL", "reply_to": "NULL",
         "media": "'{}'", "marks": "'{}'", "event_id": WAS_THERE.format("event_id"), "route": "NULL",
         "processed_at": "COALESCE(processed_at, :now)",
            "outcome": "CASE WHEN processed_at IS NULL THEN 'ignored' ELSE outcome END"},
    ),
    Table("media_piece", OF_MESSAGE, ()),
    Table("media", OF_MESSAGE, ("inbound_id", "mime", "bytes", "transcript", "created_at")),
    Table(
        "outbox",
        OF_EITHER,
        ("conversation_id", "action", "cause", "payload", "status", "reason", "created_at", "sent_at", "delivery",
         "delivery_at", "author"),
        {"payload": "'{}'", "once_key": "NULL", "key": "NULL", "provider_id": WAS_THERE.format("provider_id"), "event_id": "'erased:' || id",
         "ask_at": "NULL", "status": "CASE WHEN status IN ('pending', 'held', 'uncertain') THEN 'suppressed' ELSE status END",
         "reason": "CASE WHEN status IN ('pending', 'held', 'uncertain') THEN 'erased' ELSE reason END"},
    ),
    Table("event", OF_EITHER, ("type", "source", "data", "at", "received_at", "outcome", "reason")),
    # What its facts tell of nobody stays: see `COUNTED`.
    Table(
        "log",
        OF_EITHER,
        ("conversation_id", "at", "outcome", "reason", "event", "frm", "to", "facts"),
        {"event_id": "NULL", "facts": ":facts", "commitment": "CASE WHEN n IS NULL THEN NULL ELSE COALESCE(commitment, 'erased') END"},
    ),
    Table(
        "approval",
        OF_TALK,
        ("conversation_id", "state", "content", "status", "decided_by", "reason", "created_at", "decided_at"),
        {"content": "'[]'", "reason": "''", "status": "CASE WHEN status = 'pending' THEN 'withdrawn' ELSE status END"},
    ),
    Table("talk_note", OF_TALK, ("conversation_id", "at", "who", "text")),
    Table("sent_piece", f"file_id IN (SELECT id FROM sent_file WHERE {OF_TALK})", ()),
    Table("sent_file", OF_TALK, ("id", "conversation_id", "kind", "mime", "name", "bytes", "who", "at")),
    Table("assignments", OF_TALK, ("conversation_id", "user_id", "by_who", "at")),
    Table("campaign_member", OF_PERSON, ("campaign_id", "status", "reason", "taken_at"), {"reason": "reason"}),
    Table("from_file", OF_PERSON, ("file_id",)),
    Table("findable", OF_EITHER, ()),
    Table("evidence", OF_PERSON, ("status", "at", "detail")),
    Table("collision", "(one IN :people OR other IN :people)", ("via", "wanted", "at", "decision", "decided_at", "decided_by")),
    Table("publication_move", OF_TALK, ("slug", "number", "frm_state", "to_state", "context", "at"), {"context": "'{}'"}),
)  # fmt: skip
"""In the order in which they are erased: what is found through another table comes before it."""

COUNTED = ("flow_version", "source", "transition", "goes_on_from")
"""What facts of the log say that the analysis counts, and that tells of nobody."""

IMPERSONAL = frozenset(
    {
        *(
            "account",
            "alembic_version",
            "anchor",
            "api_token",
            "attempt",
            "audit",
            "campaign",
            "canned_reply",
            "channel",
        ),
        *("channel_pace", "clipboard", "draft_change", "erased_name", "flow", "flow_version", "one_time_link"),
        *("payment_source", "presence", "publication_request", "recovery_code", "reviewed_text", "saved_filter"),
        *("saved_test", "scheduled_publication", "second_step", "session", "setting", "simulation", "tag", "template"),
        *("wall_key",),
    }
)
"""Tables about the team, its flows and the installation."""
BY_CONTENT = {"webhook": "body", "inquiry": "about", "contact_file": "content", "hold": "subject", "replay": "result"}
"""Tables whose rows tell of a person only in what stands in a column: found by the person's names there."""
