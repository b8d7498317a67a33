"""Publishing takes people along: conversations of one version go on with another, all in the publishing transaction.

Who merely follows is one statement, whoever many they are. Whose snapshot changes gets a row in the conversation's
chain (R46), and the publication remembers where they had been (R61). The outbox is not touched: nothing is sent.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from engine.core.canonical import canonical
from engine.core.events import Snapshot
from engine.core.flow import Flow, Millis, Value
from engine.store import conversations
from engine.store.connection import Tx
from engine.store.conversations import Conversation
from engine.store.journal import Record, append, linked

__all__ = [
    "Moved",
    "Origin",
    "crowds",
    "follow",
    "followers",
    "origins",
    "remember",
    "returning",
    "standing_in",
    "these",
    "write",
]

IDS_AT_ONCE = 500
_CURRENT = "c.flow = :slug AND c.flow_version = :version AND c.followed_by IS NULL"


@dataclass(frozen=True, slots=True)
class Moved:
    """A conversation as it was read, what it becomes on version `number`, and the row that says so."""

    before: Conversation
    after: Snapshot
    number: int
    entry: Record


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where somebody was before a publication moved them; `context`: values that its version does not know.

    `unmoved`: they still stand where it put them. `anew`: they stayed, and still wait for the deadline that it gave them.
    """

    conversation_id: int
    frm_version: int
    frm_state: str
    frm_previous: str | None
    to_state: str
    context: Mapping[str, Value] = field(default_factory=dict)
    unmoved: bool = True
    anew: bool = False


def follow(tx: Tx, flow: Flow, *, old: int, number: int) -> int:
    """Take everybody from version `old` to `number` who stands where it knows, as they are; returns how many went."""
    return tx.run(
        """UPDATE conversation SET flow_version = :number, version = version + 1
           WHERE flow = :slug AND flow_version = :old AND followed_by IS NULL AND state IN :states
             AND (previous IS NULL OR previous IN :states)""",
        number=number,
        slug=flow.slug,
        old=old,
        states=sorted(flow.states),
    )


def followers(tx: Tx, slug: str, number: int) -> list[Conversation]:
    """Everybody on a version, locked."""
    return _read(tx, f"{_CURRENT} ORDER BY c.id", slug=slug, version=number)


def standing_in(tx: Tx, slug: str, version: int, states: Iterable[str]) -> list[Conversation]:
    """Everybody on a version who stands in one of these states or would return to one, locked."""
    where = f"{_CURRENT} AND (c.state IN :states OR c.previous IN :states) ORDER BY c.id"
    return _read(tx, where, slug=slug, version=version, states=sorted(states))


def these(tx: Tx, ids: Sequence[int]) -> list[Conversation]:
    """Conversations by their ids, locked."""
    chunks = (list(ids[at : at + IDS_AT_ONCE]) for at in range(0, len(ids), IDS_AT_ONCE))
    return [one for chunk in chunks for one in _read(tx, "c.id IN :ids ORDER BY c.id", ids=chunk)]


def crowds(tx: Tx, slug: str) -> list[tuple[int, str, str | None, int]]:
    """How many current conversations stand where: version, state, the state that they would return to, count."""
    rows = tx.rows(
        """SELECT flow_version, state, previous, count(*) AS people FROM conversation
           WHERE flow = :slug AND followed_by IS NULL
           GROUP BY flow_version, state, previous ORDER BY flow_version, state, previous""",
        slug=slug,
    )
    return [(int(r["flow_version"]), r["state"], r["previous"], int(r["people"])) for r in rows]


def write(tx: Tx, moved: Sequence[Moved], now: Millis) -> None:
    """Write what the conversations become, each with its row in its chain. They are locked by whoever read them.

    What waits (a burst, a lease, a letter) waits on; a deadline counts as armed now only if it is another one.
    """
    rows: list[dict[str, object]] = []
    for one in moved:
        before, after = one.before, one.after
        chained = linked(now, before.about, [one.entry], before.log_n, before.log_hash)
        append(tx, chained)
        entered = after.entered_at != before.snapshot.entered_at
        rows.append(
            {
                "id": before.id,
                "version": before.version,
                "number": one.number,
                "state": after.state,
                "previous": after.previous,
                "context": canonical(after.context),
                "entered": after.entered_at,
                "deadline": after.deadline_at,
                "rearmed": int(entered or after.deadline_at != before.snapshot.deadline_at),
                "rung": after.rung,
                "replies": 0 if entered else before.replies_in_state,
                "n": before.log_n + 1,
                "head": chained[-1]["hash"],
                "now": now,
            }
        )
    tx.many(
        """UPDATE conversation SET flow_version = :number, state = :state, previous = :previous, context = :context,
             entered_at = :entered, deadline_at = :deadline, rung = :rung, replies_in_state = :replies,
             armed_at = CASE WHEN :rearmed = 1 THEN :now ELSE armed_at END, log_n = :n, log_hash = :head,
             updated_at = :now, version = version + 1 WHERE id = :id AND version = :version""",
        rows,
    )


def remember(tx: Tx, slug: str, number: int, origins: Sequence[Origin], now: Millis) -> None:
    """Where a publication took people from."""
    tx.many(
        """INSERT INTO publication_move (slug, number, conversation_id, frm_version, frm_state, frm_previous, to_state,
             context, at) VALUES (:slug, :number, :id, :version, :state, :previous, :to, :context, :at)""",
        [
            {
                "slug": slug,
                "number": number,
                "id": one.conversation_id,
                "version": one.frm_version,
                "state": one.frm_state,
                "previous": one.frm_previous,
                "to": one.to_state,
                "context": canonical(one.context),
                "at": now,
            }
            for one in origins
        ],
    )


def origins(tx: Tx, slug: str, *, live: int, back_to: int) -> dict[int, Origin]:
    """Of people on the live version: where the publications after `back_to` took them from; of several the latest."""
    rows = tx.rows(
        f"""SELECT m.conversation_id, m.frm_version, m.frm_state, m.frm_previous, m.to_state, m.context,
             CASE WHEN c.state = m.to_state AND c.entered_at = m.at THEN 1 ELSE 0 END AS unmoved,
             CASE WHEN c.state = m.to_state AND m.frm_state = m.to_state AND c.armed_at = m.at THEN 1 ELSE 0 END AS anew
           FROM publication_move m JOIN conversation c ON c.id = m.conversation_id
           WHERE {_CURRENT} AND m.slug = :slug AND m.number > :back ORDER BY m.number""",
        slug=slug,
        version=live,
        back=back_to,
    )
    return {
        int(row["conversation_id"]): Origin(
            **{
                **row,
                "context": conversations.values(row["context"]),
                "unmoved": bool(row["unmoved"]),
                "anew": bool(row["anew"]),
            }
        )
        for row in rows
    }


def returning(tx: Tx, slug: str, *, live: int, back_to: int) -> list[tuple[str, str | None, str, int]]:
    """How many of the live version's people still stand where a publication put them, and where they had been: state,
    the state that they would return to now, the state before, count.
    """
    rows = tx.rows(
        f"""SELECT c.state, c.previous, m.frm_state, count(*) AS people
           FROM publication_move m JOIN conversation c ON c.id = m.conversation_id
           WHERE {_CURRENT} AND m.slug = :slug AND m.number > :back AND c.state = m.to_state AND c.entered_at = m.at
             AND m.frm_state <> m.to_state GROUP BY c.state, c.previous, m.frm_state ORDER BY c.state, m.frm_state""",
        slug=slug,
        version=live,
        back=back_to,
    )
    return [(r["state"], r["previous"], r["frm_state"], int(r["people"])) for r in rows]


def _read(tx: Tx, where: str, **params: object) -> list[Conversation]:
    lock = " FOR UPDATE" if tx.dialect == "postgresql" else ""
    rows = tx.rows(f"SELECT {conversations.COLUMNS} FROM conversation c WHERE {where}{lock}", **params)
    return [conversations.conversation(row) for row in rows]
