"""Looking for conversations: by what a person is called, by a telephone number, by what was said (R70)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.core.flow import Look, Millis
from engine.core.folding import fold
from engine.core.marking import Piece, marked
from engine.core.phone_search import sought
from engine.runtime import Runtime
from engine.store import findable, tags, talks
from engine.store.connection import Tx
from engine.store.findable import Text, words_of

__all__ = ["MOST", "Result", "Where", "find"]

MOST, MOST_TEXTS, MOST_WHERES = 50, 400, 3


@dataclass(frozen=True, slots=True)
class Where:
    """One place where the words were found. `kind`: name, phone, in (the customer wrote it), heard, out. `ref` names the
    line of the conversation (`in-7`), "" for who somebody is.
    """

    kind: str
    ref: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A conversation that was found. `phone` is whole: the page masks it by role."""

    id: int
    name: str | None
    phone: str | None
    flow: str
    state: str
    look: Look
    active_at: Millis
    tags: tuple[tuple[str, int], ...]
    wheres: tuple[Where, ...]


async def find(runtime: Runtime, words: str, *, phones: bool) -> tuple[Result, ...]:
    """The conversations that fit, people before what was said, the newest first; none for no words.

    Who may not see `phones` finds a person by their whole number alone.
    """
    if not fold(words).split():
        return ()
    return await runtime.store.read(lambda tx: _found(tx, runtime, words, phones=phones))


def _found(tx: Tx, runtime: Runtime, words: str, *, phones: bool) -> tuple[Result, ...]:
    texts = findable.found(tx, words, MOST_TEXTS)
    numbered = talks.with_number(tx, sought(words, whole=not phones), MOST)
    people = [text for text in texts if text.conversation_id is None]
    current = talks.current(tx, {*numbered, *(text.contact_id for text in people)})
    wheres: dict[int, list[Where]] = {}
    for contact_id in numbered:
        if contact_id in current:
            wheres.setdefault(current[contact_id], []).append(Where("phone", "", ()))
    for text in [*people, *(text for text in texts if text.conversation_id is not None)]:
        place = current.get(text.contact_id) if text.conversation_id is None else text.conversation_id
        if place is not None:
            wheres.setdefault(place, []).append(_where(text, fold(words).split()))
    rows = talks.shown(tx, list(wheres)[:MOST])
    colours = tags.colours(tx)
    return tuple(_result(tx, runtime, rows[one], wheres[one], colours) for one in wheres if one in rows)


def _where(text: Text, words: list[str]) -> Where:
    said = str(words_of(json.loads(text.text or "{}")) or "") if text.kind == "out" else text.text or ""
    ref = {"in": "in", "heard": "in", "out": "out"}.get(text.kind, "")
    return Where(text.kind, f"{ref}-{text.ref}" if ref else "", marked(said, words))


def _result(tx: Tx, runtime: Runtime, row: Mapping[str, Any], wheres: list[Where], colours: dict[str, int]) -> Result:
    state = runtime.flows.within(tx, row["flow"], row["flow_version"]).states.get(row["state"])
    return Result(
        id=int(row["id"]),
        name=row["name"],
        phone=row["phone"],
        flow=row["flow"],
        state=row["state"],
        look=Look.HUMAN if state is None else state.look,
        active_at=row["active_at"],
        tags=tags.of(row["tags"], colours),
        wheres=tuple(wheres[:MOST_WHERES]),
    )
