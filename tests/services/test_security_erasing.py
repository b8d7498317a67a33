"""A person is given what is held of them, and erased so that nothing of theirs is left and every chain holds (SEC-S24)."""

import io
import json
import sqlite3
import zipfile
from pathlib import Path
from urllib.parse import unquote

import pytest

from engine.core.errors import NotFound
from engine.core.flow import HOUR
from engine.core.permissions import Actor
from engine.services import contact_files, erase, live, noting, portrait, tags
from engine.services.analysis import Question, analyse
from engine.services.doctor import examine
from engine.services.doctor_chains import verify
from engine.store import contacts
from engine.store.board_filter import Filter
from engine.store.personal import BY_CONTENT, IMPERSONAL, TABLES
from tests.services.shop import ANA, BIA

DORA = Actor("dora@loja.example")
CANARY = "jabuticaba-31415"
WORDS = portrait.Words("pt-BR", "Dados", {}, {})


async def sound(shop):
    verdicts = await examine(shop.runtime.store, shop.clock.now())
    assert {verdict.invariant: verdict.rows for verdict in verdicts if not verdict.holds} == {}
    assert (await verify(shop.runtime.store)).broken is None


async def id_of(shop, phone=ANA):
    return await shop.runtime.store.read(lambda tx: contacts.find(tx, phone))


async def lived(shop, phone=ANA, word=CANARY):
    """Somebody with everything that a person leaves behind: talk, payment, notes, tags, a file that names them."""
    await shop.talks(phone, "oi", f"quanto custa? {word}", f"manda o link {word}")
    await shop.hears("wamid.OUT1", "delivered")
    await shop.pays(phone)
    await shop.after(5_000)
    person = await id_of(shop, phone)
    talk = await shop.conversation(phone)
    await noting.note(shop.runtime, talk.id, f"ela disse {word}", "token-1", DORA)
    await tags.change(shop.runtime, [talk.id], DORA, add="vip")
    csv = f"phone,name,email\n{phone},{word},{word}@x.example\n".encode()
    await contact_files.take(
        shop.runtime, await contact_files.upload(shop.runtime, "gente.csv", csv, DORA), "na feira", DORA
    )
    return person


async def dump(shop):
    """Every table as text."""
    tables = [one.name for one in TABLES] + [*BY_CONTENT, *IMPERSONAL]
    said = {}
    for name in tables:
        rows = await shop.rows(f"SELECT * FROM {name}")
        said[name] = json.dumps(rows, default=str, ensure_ascii=False)
    return said


def told_of(said, *words):
    return {(name, word) for name, text in said.items() for word in words if word in text}


async def test_nothing_of_an_erased_person_is_left_anywhere_and_everything_still_holds(shop):
    person = await lived(shop)
    await shop.talks(BIA, "oi")
    before = await dump(shop)
    assert {name for name, _ in told_of(before, CANARY)} >= {"inbound", "webhook", "talk_note", "findable"}

    erased = await erase.erase(shop.runtime, person, DORA)

    after = await dump(shop)
    assert told_of(after, CANARY, ANA, ANA[2:], "wamid.IN1", "Ana Lima") <= told_of(before, "Ana Lima"), (
        "only of others"
    )
    assert told_of(after, CANARY, ANA, 'wamid.IN1"') == set()
    assert erased.rows["inbound"] == 3
    await sound(shop)
    assert [row["text"] for row in await shop.rows("SELECT text FROM inbound WHERE text IS NOT NULL")] == ["oi"], (
        "others stay"
    )
    [entry] = await shop.rows("SELECT who, subject FROM audit WHERE what = 'contact.erased'")
    assert entry == {"who": DORA.who, "subject": str(person)}


async def test_the_analysis_says_the_same_as_before(shop):
    person = await lived(shop)
    await shop.talks(BIA, "oi")
    before = await analyse(shop.runtime, shop.flow, Question())

    await erase.erase(shop.runtime, person, DORA)

    after = await analyse(shop.runtime, shop.flow, Question())
    assert (after.accounts, after.funnel) == (before.accounts, before.funnel)
    assert all(one.closes for one in after.accounts.values())
    board = await live.board(shop.runtime, shop.flow, Filter())
    assert sum(len(column.cards) for column in board.columns) == 1, "and nobody of that kind stands on the desk"


async def test_what_happened_can_still_be_counted_and_nobody_is_written_to(shop):
    person = await lived(shop)
    moved = 'SELECT at, outcome, reason, event, frm, "to", n, hash FROM log ORDER BY id'
    before = await shop.rows(moved)

    await erase.erase(shop.runtime, person, DORA)

    assert (await shop.rows(moved))[: len(before)] == before
    sent = len(shop.provider.calls)
    await shop.after(30 * 24 * HOUR)
    assert len(shop.provider.calls) == sent, "no silence, no letter"
    await sound(shop)


async def test_who_writes_again_is_somebody_new(shop):
    person = await lived(shop)
    await erase.erase(shop.runtime, person, DORA)

    await shop.talks(ANA, "oi")

    assert await id_of(shop) != person
    assert (await shop.conversation()).snapshot.state == "ENGAJADO"
    await sound(shop)


async def test_the_wish_for_no_more_messages_outlives_the_names(shop):
    await shop.talks(ANA, "oi", "parar")
    person = await id_of(shop)

    assert (await erase.erase(shop.runtime, person, DORA)).remembered

    csv = f"phone,name\n{ANA},Ana\n{BIA},Bia\n".encode()
    number = await contact_files.upload(shop.runtime, "gente.csv", csv, DORA)
    file = await contact_files.take(shop.runtime, number, "disseram que sim", DORA)
    assert [(reason, cell) for _, reason, cell in file.problems] == [("opted_out", ANA)]
    rows = await shop.rows(
        "SELECT phone, opt_out_at IS NOT NULL AS quiet FROM contact WHERE phone IS NOT NULL ORDER BY phone"
    )
    assert [bool(row["quiet"]) for row in rows] == [True, False]
    assert told_of({"marks": json.dumps(await shop.rows("SELECT digest FROM erased_name"))}, ANA) == set()


async def test_who_comes_back_by_a_message_after_such_a_wish_is_answered_and_never_pursued(shop):
    await shop.talks(ANA, "oi", "parar")
    await erase.erase(shop.runtime, await id_of(shop), DORA)
    await shop.talks(ANA, "oi")
    sent = len(shop.provider.calls)

    await shop.after(30 * 24 * HOUR)

    assert len(shop.provider.calls) == sent
    [row] = await shop.rows("SELECT opt_out_at IS NOT NULL AS quiet FROM contact WHERE erased_at IS NULL")
    assert row["quiet"]
    await sound(shop)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE inbound SET text = '{}' WHERE id = 1",
        "UPDATE outbox SET provider_id = '{}' WHERE id = 1",
        """INSERT INTO evidence (channel_id, provider_id, status, contact_id, at, received_at, detail)
           VALUES (1, 'x', 'sent', 1, 1, 1, '{}')""",
    ],
)
async def test_what_came_in_of_somebody_while_they_were_erased_goes_with_the_days_look(shop, change):
    """Another process had read whose it is, and writes after the erasing."""
    await shop.talks(ANA, "oi")
    person = await id_of(shop)
    await erase.erase(shop.runtime, person, DORA)
    late = change.format(CANARY)
    await shop.runtime.store.write("x", lambda tx: tx.run(late))

    assert await erase.once_more(shop.runtime) == 1

    assert told_of(await dump(shop), CANARY) == set()
    assert await erase.once_more(shop.runtime) == 0
    await sound(shop)


@pytest.mark.parametrize(
    "change",
    ["event_id = 'x'", "reason = 'x', facts = '{}', event_id = NULL", "hash = 'x', facts = '{}', event_id = NULL"],
)
async def test_the_log_lets_only_what_an_erasing_takes_be_taken(shop, change):
    await shop.talks(ANA, "oi")
    with pytest.raises(Exception, match="only grows"):
        await shop.runtime.store.write("x", lambda tx: tx.run("UPDATE log SET facts = '{}', event_id = NULL"))

    await erase.erase(shop.runtime, await id_of(shop), DORA)

    with pytest.raises(Exception, match="only grows"):
        await shop.runtime.store.write("x", lambda tx: tx.run(f"UPDATE log SET {change}"))


async def test_a_row_that_merely_lost_its_words_is_a_broken_one(small_shop):
    """Who can write the file cannot hide a change behind an erasing that nobody made."""
    await small_shop.talks(ANA, "oi")
    path = small_shop.runtime.settings.database_url.removeprefix("sqlite:///")
    with sqlite3.connect(path) as database:
        database.execute("DROP TRIGGER log_no_update")
        database.execute("UPDATE contact SET erased_at = 1")
        database.execute("UPDATE conversation SET salt = ''")
        database.execute("UPDATE log SET facts = '{}', event_id = NULL WHERE id = 2")

    assert "log" in str((await verify(small_shop.runtime.store)).broken)


@pytest.mark.parametrize("change", ["\"to\" = 'PAGO'", "at = at + 1", 'facts = \'{"nome":"Ana"}\'', "event_id = 'x'"])
async def test_a_row_of_an_erased_person_that_was_changed_is_found(small_shop, change):
    await small_shop.talks(ANA, "oi")
    await erase.erase(small_shop.runtime, await id_of(small_shop), DORA)
    assert (await verify(small_shop.runtime.store)).broken is None
    path = small_shop.runtime.settings.database_url.removeprefix("sqlite:///")
    with sqlite3.connect(path) as database:
        database.execute("DROP TRIGGER log_no_update")
        database.execute(f"UPDATE log SET {change} WHERE n = 2")

    assert (await verify(small_shop.runtime.store)).broken is not None


def bytes_of(path):
    """The file and its write-ahead log."""
    return b"".join(file.read_bytes() for file in (Path(path), Path(f"{path}-wal")) if file.exists())


async def test_the_file_of_the_database_holds_nothing_of_them(small_shop):
    person = await lived(small_shop)
    path = small_shop.runtime.settings.database_url.removeprefix("sqlite:///")
    assert CANARY.encode() in bytes_of(path)

    await erase.erase(small_shop.runtime, person, DORA)

    content = bytes_of(path)
    assert content.count(CANARY.encode()) == 0
    assert content.count(ANA.encode()) == 0


async def test_a_person_is_erased_once_and_an_id_of_nobody_is_not_found(small_shop):
    await small_shop.talks(ANA, "oi")
    person = await id_of(small_shop)
    await erase.erase(small_shop.runtime, person, DORA)

    for work in (erase.erase, erase.held, portrait.export):
        for number in (person, 9_999):
            with pytest.raises(NotFound):
                await work(small_shop.runtime, number, *([] if work is erase.held else [DORA]))


async def test_the_export_has_everything_that_is_held(shop):
    person = await lived(shop)

    found = await portrait.export(shop.runtime, person, DORA)

    kept = zipfile.ZipFile(io.BytesIO(portrait.archive(found, WORDS)))
    data = json.loads(kept.read("dados.json"))["data"]
    assert {
        "contact",
        "identity",
        "conversation",
        "inbound",
        "outbox",
        "event",
        "log",
        "talk_note",
        "consent_proof",
    } <= {*data}
    assert data["contact"][0]["name"] == "Ana Lima"
    assert data["inbound"][1]["text"] == f"quanto custa? {CANARY}"
    assert data["contact"][0]["created_at"].endswith("+00:00")
    page = unquote(kept.read("dados.html").decode())
    assert page.count(CANARY) >= 4
    assert "<h2>inbound (3)</h2>" in page
    [entry] = await shop.rows("SELECT subject FROM audit WHERE what = 'contact.exported'")
    assert entry["subject"] == str(person)


async def test_what_people_wrote_is_text_in_the_page_that_is_read(small_shop):
    await small_shop.talks(ANA, "<script>alert(1)</script>")

    found = await portrait.export(small_shop.runtime, await id_of(small_shop), DORA)

    assert "<script>alert" not in portrait.page(found, WORDS)


async def test_every_table_of_the_database_is_in_the_inventory(small_shop):
    """A table or a column that is new cannot be forgotten: it is a person's, or somebody said that it is not."""
    names = {row["name"] for row in await small_shop.rows("SELECT name FROM sqlite_master WHERE type = 'table'")}
    known = {one.name for one in TABLES}
    assert {name for name in names if not name.startswith("sqlite_")} == known | IMPERSONAL | {*BY_CONTENT}
    for one in TABLES:
        columns = {row["name"] for row in await small_shop.rows(f"PRAGMA table_info({one.name})")}
        assert {*one.shown, *one.left} <= columns, one.name
        if one.left:
            assert columns - {*one.left} <= PLAIN[one.name], one.name


PLAIN = {
    "contact": {"id", "opt_out_at", "merged_into", "created_at"},
    "conversation": {
        "id", "contact_id", "channel_id", "flow", "flow_version", "state", "previous", "entered_at", "armed_at", "rung",
        "last_inbound_at", "log_n", "log_hash", "replies_in_state", "opened_at", "updated_at", "active_at", "followed_by",
    },
    "inbound": {
        "id", "channel_id", "conversation_id", "contact_id", "kind", "at", "received_at", "edited_at", "deleted_at", "outcome", "reason",
    },
    "outbox": {
        "id", "conversation_id", "contact_id", "channel_id", "action", "part", "parts", "cause", "is_global", "confirms_opt_out",
        "critical", "state", "as_template", "created_at", "due_at", "lease_until", "attempt", "sent_at", "delivery", "delivery_at",
        "error_code", "author", "tried_at", "approval_id",
    },
    "log": {"id", "at", "conversation_id", "contact_id", "channel_id", "outcome", "reason", "event", "frm", "to", "n", "prev_hash", "hash"},
    "approval": {
        "id", "conversation_id", "flow", "state", "flow_version", "entered_at", "approvers", "transition", "original", "sha256",
        "decided_by", "extended_by", "created_at", "decided_at",
    },
    "campaign_member": {"campaign_id", "contact_id", "status", "conversation_id", "taken_at"},
    "publication_move": {"slug", "number", "conversation_id", "frm_version", "frm_state", "frm_previous", "to_state", "at"},
}  # fmt: skip
"""What stays of a row and tells of nobody: ids of ours, states, moments, counts, hashes."""
