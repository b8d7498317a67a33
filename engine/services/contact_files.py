"""People out of a file: looked at first, then taken in, all or nothing (R70, R73).

A file never ends an opt-out, and who comes without a proof of consent is known and not written to.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.core.canonical import canonical
from engine.core.cells import table
from engine.core.contact_table import LARGEST, Person, Reading, decoded, people
from engine.core.errors import NotFound, Refused
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.services.erase import resist
from engine.store import audit, contact_files, erasures, proofs
from engine.store.connection import Tx
from engine.store.contact_files import DRAFT, StoredFile
from engine.store.journal import About
from engine.store.proofs import Proof

ZONE = "America/Sao_Paulo"
"""Where dates without a time zone are from."""
NAME_LONGEST, PROOF_LONGEST = 120, 500
NO_PROOF, OPTED_OUT = "no_proof", "opted_out"
"""Reasons of people who were taken in and are left out of campaigns."""


@dataclass(frozen=True, slots=True)
class Look:
    """A draft as it would be taken in: what it says, and how many are known, out, or without a proof of their own."""

    file: StoredFile
    reading: Reading
    known: int
    opted_out: int
    without_proof: int


async def upload(runtime: Runtime, name: str, raw: bytes, actor: Actor) -> int:
    """Keep a file to look at. Raises Refused: file_too_large, file_empty."""
    if len(raw) > LARGEST:
        raise Refused("file_too_large", limit=LARGEST // (1024 * 1024))
    text = decoded(raw).replace("\x00", "")
    if not text.strip():
        raise Refused("file_empty")
    plain = "".join(c for c in name if c.isprintable())[-NAME_LONGEST:] or "contatos.csv"
    now = runtime.clock.now()
    return await runtime.store.write("contacts", lambda tx: contact_files.add(tx, plain, text, actor.who, now))


async def look(runtime: Runtime, file_id: int, columns: Mapping[str, int] | None = None) -> Look:
    """What taking a draft in would do. Raises NotFound."""

    def unit(tx: Tx) -> Look:
        file = _draft(tx, file_id)
        reading = people(file.content, runtime.clock.now(), ZONE, columns)
        known = contact_files.known(tx, [person.phone for person in reading.people])
        out = sum(row["opt_out_at"] is not None for row in known.values())
        bare = sum(
            not person.words and not (person.phone in known and known[person.phone]["proved"])
            for person in reading.people
        )
        return Look(file, reading, len(known), out, bare)

    return await runtime.store.read(unit)


async def take(
    runtime: Runtime, file_id: int, proof: str, actor: Actor, columns: Mapping[str, int] | None = None
) -> StoredFile:
    """Take a draft in. `proof` says for everybody where the consent is known from; a line's own words come first.

    Raises NotFound, Refused: proof_too_long, no_phone_column, nobody_in_file.
    """
    words = " ".join(proof.split())
    if len(words) > PROOF_LONGEST:
        raise Refused("proof_too_long", longest=PROOF_LONGEST)

    def unit(tx: Tx) -> StoredFile:
        now = runtime.clock.now()
        file = _draft(tx, file_id, lock=True)
        reading = people(file.content, now, ZONE, columns)
        if any(trouble.reason == "no_phone_column" for trouble in reading.troubles):
            raise Refused("no_phone_column")
        if not reading.people:
            raise Refused("nobody_in_file")
        facts, left_out = _taken(tx, file_id, reading.people, words, now, actor, runtime.vault.marks)
        problems = sorted([*[(t.line, t.reason, t.cell) for t in reading.troubles], *left_out])
        contact_files.finish(tx, file_id, words, now, {**facts, "refused": len(reading.troubles)}, problems)
        audit.note(tx, now, actor, "contacts.imported", subject=file.name, facts={**facts, "file": file_id})
        finished = contact_files.get(tx, file_id)
        assert finished is not None
        return finished

    return await runtime.store.write("contacts", unit)


async def discard(runtime: Runtime, file_id: int) -> None:
    """Forget a draft."""
    await runtime.store.write("contacts", lambda tx: contact_files.discard(tx, file_id))


async def one(runtime: Runtime, file_id: int) -> StoredFile:
    """A file, draft or done. Raises NotFound."""
    found = await runtime.store.read(lambda tx: contact_files.get(tx, file_id))
    if found is None:
        raise NotFound("file", file_id)
    return found


async def done(runtime: Runtime) -> list[StoredFile]:
    """The files that were taken in, the newest first."""
    return await runtime.store.read(contact_files.done)


def problems_table(file: StoredFile, heads: Sequence[str], words: Mapping[str, str]) -> str:
    """The lines that were not taken or are left out, as a file for a spreadsheet; `words` says each reason."""
    return table(heads, ([str(line), words.get(reason, reason), cell] for line, reason, cell in file.problems))


def _unwilling(tx: Tx, marks: erasures.Marks, fresh: Mapping[str, int], now: int) -> set[str]:
    """The numbers of people who had asked for no more messages before they were erased (R73)."""
    if not erasures.any_kept(tx):
        return set()
    return {phone for phone, i in fresh.items() if resist(tx, marks, i, About(contact_id=i), now)}


def _taken(
    tx: Tx, file_id: int, given: Sequence[Person], words: str, now: int, actor: Actor, marks: erasures.Marks
) -> tuple[dict[str, int], list[tuple[int, str, str]]]:
    """The people are contacts; how many of what, and (line, reason, number) of those who are not to be written to."""
    known = contact_files.known(tx, [person.phone for person in given])
    fresh = contact_files.create(tx, [person for person in given if person.phone not in known], now)
    ids = fresh | {phone: int(row["id"]) for phone, row in known.items()}
    contact_files.fill(tx, [_filled(known[p.phone], p) for p in given if p.phone in known])
    contact_files.came(tx, file_id, [ids[person.phone] for person in given])
    proved: list[Proof] = []
    left_out: list[tuple[int, str, str]] = []
    unwilling = _unwilling(tx, marks, fresh, now)
    for person in given:
        row, said = known.get(person.phone), person.words or words
        if person.phone in unwilling or (row is not None and row["opt_out_at"] is not None):
            left_out.append((person.line, OPTED_OUT, person.spelled))
        elif said:
            at = now if person.optin_at is None else person.optin_at
            proved.append(Proof(contact_id=ids[person.phone], at=at, source=proofs.IMPORT, words=said, who=actor.who))
        elif row is None or not row["proved"]:
            left_out.append((person.line, NO_PROOF, person.spelled))
    proofs.record(tx, proved, now)
    counts = {reason: sum(found == reason for _, found, _ in left_out) for reason in (NO_PROOF, OPTED_OUT)}
    return {"people": len(given), "new": len(fresh), "known": len(known), "proved": len(proved), **counts}, left_out


def _filled(row: Mapping[str, object], person: Person) -> dict[str, object]:
    tags = dict.fromkeys([*json.loads(str(row["tags"])), *person.tags])
    return {
        "id": row["id"],
        "name": person.name or None,
        "email": person.email or None,
        "tags": canonical(list(tags)),
    }


def _draft(tx: Tx, file_id: int, *, lock: bool = False) -> StoredFile:
    file = contact_files.get(tx, file_id, lock=lock)
    if file is None or file.status != DRAFT:
        raise NotFound("file", file_id)
    return file
