"""The texts by which people and what was said are found: folded copies, kept in step by whoever writes the originals.

A search reads all of them, the newest first: at a hundred thousand texts that is quicker than anybody notices, on both
databases alike, and any part of a word is found. Everything of a contact is deleted by the contact's id.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.core.folding import fold
from engine.store.connection import Tx

__all__ = ["Text", "add", "containing", "drop", "forget", "found", "moved", "named", "put", "words_of"]

INSERT = "INSERT INTO findable (contact_id, conversation_id, kind, ref, text) VALUES :rows"
SOURCES = {"in": "inbound", "heard": "inbound", "out": "outbox"}


@dataclass(frozen=True, slots=True)
class Text:
    """What somebody said or is called; `kind` and `ref` as in the table."""

    contact_id: int
    conversation_id: int | None
    kind: str
    ref: int
    text: str | None


def add(tx: Tx, texts: Iterable[Text]) -> None:
    """Texts that are new; empty ones are left out."""
    rows = [(t.contact_id, t.conversation_id, t.kind, t.ref, fold(t.text)) for t in texts if t.text]
    if rows:
        tx.later("findable", INSERT, rows)


def words_of(payload: Mapping[str, object]) -> str | None:
    """What a letter says."""
    text = payload.get("text")
    return text if isinstance(text, str) else None


def put(tx: Tx, kind: str, ref: int, text: str | None) -> None:
    """What a message or a letter says from now on."""
    drop(tx, [kind], ref)
    about = tx.one(f"SELECT contact_id, conversation_id FROM {SOURCES[kind]} WHERE id = :id", id=ref)
    if about is not None:
        add(tx, [Text(about["contact_id"], about["conversation_id"], kind, ref, text)])


def drop(tx: Tx, kinds: Sequence[str], ref: int) -> None:
    """It is not to be found any more."""
    tx.run("DELETE FROM findable WHERE ref = :ref AND kind IN :kinds", ref=ref, kinds=list(kinds))


def named(tx: Tx, contact_ids: Iterable[int]) -> None:
    """What these contacts are called may have changed."""
    for contact_id in contact_ids:
        drop(tx, ["name"], contact_id)
        name = tx.value("SELECT name FROM contact WHERE id = :id AND merged_into IS NULL", id=contact_id)
        add(tx, [Text(contact_id, None, "name", contact_id, name)])


def forget(tx: Tx, contact_id: int) -> None:
    """Everything of a contact, and what they are called."""
    tx.run("DELETE FROM findable WHERE contact_id = :id", id=contact_id)


def moved(tx: Tx, old_id: int, new_id: int) -> None:
    """Messages of one conversation that belong to another from now on are found there."""
    tx.run(
        """UPDATE findable SET conversation_id = :new WHERE conversation_id = :old AND kind IN ('in', 'heard')
           AND ref IN (SELECT id FROM inbound WHERE conversation_id = :new)""",
        old=old_id,
        new=new_id,
    )


def containing(words: str) -> tuple[str, dict[str, str]]:
    """A condition on the row `f` that all the words are in its text, with its values; no words fit everything."""
    values = {f"word{n}": f"%{_plain(word)}%" for n, word in enumerate(fold(words).split())}
    return " AND ".join(f"f.text LIKE :{name} ESCAPE '!'" for name in values) or "1 = 1", values


def found(tx: Tx, words: str, most: int) -> list[Text]:
    """The texts with all these words, the newest first; letters that never left are left out."""
    where, values = containing(words)
    rows = tx.rows(
        f"""SELECT f.contact_id, f.conversation_id, f.kind, f.ref,
             COALESCE(i.text, m.transcript, o.payload, p.name) AS text FROM findable f
           LEFT JOIN inbound i ON f.kind = 'in' AND i.id = f.ref
           LEFT JOIN media m ON f.kind = 'heard' AND m.inbound_id = f.ref
           LEFT JOIN outbox o ON f.kind = 'out' AND o.id = f.ref
           LEFT JOIN contact p ON f.kind = 'name' AND p.id = f.ref
           WHERE {where} AND (o.id IS NULL OR o.status NOT IN ('cancelled', 'suppressed'))
           ORDER BY f.id DESC LIMIT :most""",
        most=most,
        **values,
    )
    return [Text(**row) for row in rows]


def _plain(word: str) -> str:
    return word.replace("!", "!!").replace("%", "!%").replace("_", "!_")
