"""The doctor finds every broken invariant, exactly it, and nothing on a database that nobody touched (I2 to I27)."""

import shutil
import sqlite3
from contextlib import closing
from hashlib import sha256

import pytest
import pytest_asyncio

from engine.core.chain import committed, link
from engine.services.doctor import examine
from engine.services.doctor_chains import LOG, verify
from engine.services.doctor_ledger import SAYS
from engine.store import migrations
from engine.store.lanes import Store
from tests.runtimes import a_runtime
from tests.services.a_busy_day import a_busy_day

TRIGGERS = [f"DROP TRIGGER {table}_no_{verb}" for table in ("log", "audit") for verb in ("update", "delete")]
PLAIN = "CREATE TABLE copy AS SELECT * FROM {0}; DROP TABLE {0}; ALTER TABLE copy RENAME TO {0};"
"""A table without its constraints, so that doubles fit in."""


@pytest_asyncio.fixture(scope="module")
async def lived(tmp_path_factory):
    """A database with a busy day in it, closed, and the time at its end."""
    path = tmp_path_factory.mktemp("day") / "trilho.db"
    migrations.upgrade(f"sqlite:///{path}")
    runtime = a_runtime(f"sqlite:///{path}")
    await a_busy_day(runtime)
    now = runtime.clock.now()
    await runtime.close()
    with closing(sqlite3.connect(path)) as connection:  # what a copy of the file alone would miss
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path, now


@pytest.fixture
def patient(lived, tmp_path):
    """A copy to be broken, and the time."""
    path, now = lived
    return shutil.copy(path, tmp_path / "patient.db"), now


def hurt(path, *statements):
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("".join(f"{sql};" for sql in (*TRIGGERS, *statements)))
        connection.commit()


async def examined(path, now):
    store = Store(f"sqlite:///{path}")
    try:
        return {verdict.invariant: verdict for verdict in await examine(store, now)}
    finally:
        await store.close()


async def test_nothing_is_broken_after_a_busy_day_on_either_database(runtime):
    await a_busy_day(runtime)

    verdicts = await examine(runtime.store, runtime.clock.now())

    assert {verdict.invariant: verdict.rows for verdict in verdicts if not verdict.holds} == {}
    looked_at = {verdict.invariant for verdict in verdicts if verdict.checked}
    assert looked_at >= set(SAYS) - {"unread", "leases", "approvals", "approved"}, "the day has something of everything"


def copied(table, number, **changes):
    """Another row like this one."""
    sets = ", ".join(f"{name} = {value}" for name, value in changes.items())
    return (
        f"CREATE TEMP TABLE another AS SELECT * FROM {table} WHERE rowid = {number}",
        f"UPDATE another SET {sets}",
        f"INSERT INTO {table} SELECT * FROM another",
    )


def rechained(path, conversation):
    """Somebody who can write the log and knows how its hashes are made."""
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        head = ""
        salt = connection.execute("SELECT salt FROM conversation WHERE id = ?", [conversation]).fetchone()["salt"]
        for row in connection.execute(
            "SELECT * FROM log WHERE conversation_id = ? AND n > 0 ORDER BY n", [conversation]
        ):
            said = committed(salt, row["n"], {name: row[name] for name in ("facts", "event_id")})
            body = {name: row[name] for name in (*LOG, "n") if name != "event_id"} | {"commitment": said}
            before, head = head, link(head, body)
            connection.execute(
                "UPDATE log SET prev_hash = ?, hash = ?, commitment = ? WHERE id = ?", [before, head, said, row["id"]]
            )
        connection.execute("UPDATE conversation SET log_hash = ? WHERE id = ?", [head, conversation])
        connection.commit()


FILE = 10
"""The message with a file."""
BARE = '{"actions":{},"states":{"NOVO":{}}}'
OF_BARE = sha256(BARE.encode()).hexdigest()
WOUNDS = [
    ("stored-once", "inbound 999", [PLAIN.format("inbound"), *copied("inbound", 1, id=999, outcome="'ignored'", event_id="NULL")]),
    ("stored-once", "event pay:2", [PLAIN.format("event"), "UPDATE event SET business_key = 'k', id = 'pay:2', conversation_id = NULL WHERE id = 'ui:form-1'",
                                    *copied("event", "(SELECT rowid FROM event WHERE id = 'pay:2')", id="'pay:1'")]),
    ("one-outcome", "inbound 1", ["UPDATE inbound SET outcome = NULL WHERE id = 1"]),
    ("one-outcome", "event api:x", [*copied("event", 1, id="'api:x'", conversation_id="NULL", outcome="'taken'")]),
    ("batches", "event in:1", ["UPDATE inbound SET provider_id = 'another' WHERE id = 2"]),
    ("batches", "event in:1", ["UPDATE inbound SET event_id = NULL, outcome = 'ignored' WHERE id = 2"]),
    ("applied-once", "event in:1", ["UPDATE event SET outcome = 'ignored' WHERE id = 'in:1'"]),
    ("applied-once", "event in:1", ["DELETE FROM event WHERE id = 'in:1'"]),
    ("applied-once", "event api:x", [*copied("event", 1, id="'api:x'")]),
    ("replay", "conversation 1: state", ["UPDATE conversation SET state = 'PERDIDO' WHERE id = 1"]),
    ("replay", "conversation 2: deadline_at, rung", ["UPDATE conversation SET deadline_at = deadline_at + 1, rung = 0 WHERE id = 2"]),
    ("replay", "conversation 1: context", ["UPDATE conversation SET context = '{}' WHERE id = 1"]),
    ("justified", "outbox 999", [*copied("outbox", 10, id=999, event_id="'timeout:2:0'")]),
    ("justified", "outbox 999", [*copied("outbox", 10, id=999, action="'mandar_link'")]),
    ("complete", "event in:4", ["DELETE FROM outbox WHERE id = 2"]),
    ("complete", "event in:4", ["UPDATE outbox SET parts = 2 WHERE id = 2"]),
    ("complete", "event in:4", [*copied("outbox", 2, id=999)]),
    ("once-keys", "outbox 999", [PLAIN.format("outbox"), *copied("outbox", 7, id=999, cause="'operator'", author="'dora'")]),
    ("in-line", "conversation 1", ["UPDATE outbox SET status = 'sending', lease_until = 9000000000000 WHERE id IN (1, 5)"]),
    ("evidence", "outbox 1", ["UPDATE outbox SET provider_id = NULL WHERE id = 1"]),
    ("consent", "contact 4", ["UPDATE contact SET opt_out_at = NULL"]),
    ("consent", "outbox 14", ["UPDATE contact SET opt_out_at = 1 WHERE id = 2",
                              "INSERT INTO log (at, contact_id, outcome, facts) SELECT lease_until - 30001, 2, 'opt_out', '{}' FROM outbox WHERE id = 14"]),
    ("states", "conversation 1", [f"INSERT INTO flow_version VALUES ('venda', 2, '{BARE}', '{OF_BARE}', '', '', 1)",
                                  "UPDATE conversation SET flow_version = 2 WHERE id = 1"]),
    ("versions", "flow venda@1", ["UPDATE flow_version SET document = document || ' '"]),
    ("versions", "flow venda@9", ["UPDATE flow SET live = 9 WHERE slug = 'venda'"]),
    ("belongs", "outbox 2", ["UPDATE outbox SET contact_id = 1 WHERE id = 2"]),
    ("belongs", "event in:x", [*copied("event", 1, id="'in:x'", conversation_id=99)]),
    ("belongs", "conversation 3", ["DELETE FROM contact WHERE id = 3"]),
    ("belongs", "contact 99", ["INSERT INTO contact (id, tags, created_at, merged_into) VALUES (99, '[]', 1, 98)"]),
    ("belongs", "contact 99", ["INSERT INTO contact (id, tags, created_at, merged_into) VALUES (99, '[]', 1, 1)",
                               "INSERT INTO identity VALUES ('lid', '9@lid', 99, '9@lid', 1)"]),
    ("cycles", "conversation 3", ["UPDATE conversation SET followed_by = 1 WHERE id = 3"]),
    ("unread", "inbound 999", [*copied("inbound", 1, id=999, provider_id="'x'", processed_at="NULL", outcome="NULL", event_id="NULL")]),
    ("overdue", "conversation 1", ["UPDATE conversation SET due_at = 1 WHERE id = 1"]),
    ("overdue", "contact 1", ["UPDATE contact SET paused_until = 1 WHERE id = 1"]),
    ("overdue", "event api:x", [*copied("event", 1, id="'api:x'", due_at=1, processed_at="NULL", outcome="NULL")]),
    ("overdue", "inquiry 1", [
        """INSERT INTO inquiry (source_id, provider_id, webhook_id, about, received_at, due_at, lease_until, attempt)
           VALUES (1, 'n', 'w', '{}', 1, 1, 0, 1)""",
    ]),
    ("overdue", "outbox 15", ["UPDATE outbox SET status = 'pending', due_at = 1 WHERE id = 15"]),
    ("leases", "outbox 15", ["UPDATE outbox SET status = 'uncertain', lease_until = 1 WHERE id = 15"]),
    ("leases", "conversation 1", ["UPDATE conversation SET lease_until = 9000000000000 WHERE id = 1"]),
    ("overdue", f"media {FILE}", ["UPDATE media SET due_at = 1"]),
    ("belongs", "media 999", ["UPDATE media SET inbound_id = 999", "UPDATE media_piece SET inbound_id = 999"]),
    ("files", f"media {FILE}", ["UPDATE media_piece SET content = x'00'"]),
    ("files", f"media_piece {FILE}", ["UPDATE media SET state = 'refused'"]),
    ("log-chain", "conversation 2: log 28", ["UPDATE log SET reason = 'x' WHERE id = 28"]),
    ("log-chain", "conversation 2: log 28", ["DELETE FROM log WHERE id = 24"]),
    ("log-chain", "conversation 3: its last rows", ["DELETE FROM log WHERE id = 41"]),
    ("log-chain", "conversation 1: its last rows", ["UPDATE conversation SET log_hash = 'x' WHERE id = 1"]),
    ("audit-chain", "audit 2", ["UPDATE audit SET who = 'somebody' WHERE id = 2"]),
    ("audit-chain", "audit 3", ["DELETE FROM audit WHERE id = 2"]),
]  # fmt: skip


@pytest.mark.parametrize(("invariant", "row", "statements"), WOUNDS)
async def test_a_wound_is_found_and_nothing_else(patient, invariant, row, statements):
    path, now = patient
    hurt(path, *statements)

    verdicts = await examined(path, now)

    assert {name: verdict.rows for name, verdict in verdicts.items() if not verdict.holds} == {invariant: (row,)}


async def test_i8_a_silence_that_fired_before_its_deadline_is_found(patient):
    path, now = patient
    hurt(path, "UPDATE log SET at = at - 86400000 WHERE id = 28")
    rechained(path, 2)

    verdicts = await examined(path, now)

    assert {name: v.rows for name, v in verdicts.items() if not v.holds} == {"clock": ("conversation 2: log 28",)}


async def test_i4_an_event_that_met_the_table_twice_is_found_though_the_chain_is_whole(patient):
    path, now = patient
    hurt(
        path,
        "CREATE TEMP TABLE twice AS SELECT * FROM log WHERE id = 18",
        "UPDATE twice SET id = 999, n = 5, frm = 'PAGO'",
        "INSERT INTO log SELECT * FROM twice",
        "UPDATE conversation SET log_n = 5 WHERE id = 1",
    )
    rechained(path, 1)

    verdicts = await examined(path, now)

    assert {name: v.rows for name, v in verdicts.items() if not v.holds} == {"applied-once": ("event api:e9",)}


async def test_i27_what_nobody_did_for_more_than_a_minute_is_overdue(patient):
    path, now = patient

    verdicts = await examined(path, now + 30 * 86_400_000)

    assert {name: sorted(v.rows) for name, v in verdicts.items() if not v.holds} == {
        "overdue": ["conversation 2", "conversation 3", "conversation 5"]
    }


async def test_a_letter_behind_one_on_the_wire_or_postponed_is_not_overdue(patient):
    path, now = patient
    hurt(
        path,
        f"UPDATE outbox SET status = 'uncertain', lease_until = {now + 1} WHERE id = 12",
        "UPDATE outbox SET status = 'pending', due_at = 1 WHERE id = 14",
    )

    assert all(verdict.holds for verdict in (await examined(path, now)).values())


def test_every_invariant_has_a_wound():
    assert {invariant for invariant, _, _ in WOUNDS} | {"clock", "approvals", "approved"} == set(SAYS)


async def test_what_cannot_even_be_read_is_found_and_stops_nothing(patient):
    path, now = patient
    hurt(
        path,
        "UPDATE log SET facts = 'x' WHERE id = 14",
        "UPDATE conversation SET context = '[' WHERE id = 2",
        "INSERT INTO flow_version VALUES ('venda', 2, '{', 'x', '', '', 1)",
    )

    verdicts = await examined(path, now)

    assert {name: v.rows for name, v in verdicts.items() if not v.holds} == {
        "log-chain": ("conversation 1: log 14",),
        "replay": ("conversation 2: context",),
        "versions": ("flow venda@2",),
    }


async def test_no_finding_names_a_person(patient):
    path, now = patient
    hurt(path, "UPDATE outbox SET contact_id = 1", "UPDATE contact SET opt_out_at = 1", "DELETE FROM event")

    told = str(await examined(path, now))

    assert not any(private in told for private in ("9999", "Ana", "quanto custa"))


async def chains(path, anchor=None):
    store = Store(f"sqlite:///{path}")
    try:
        return await verify(store, anchor)
    finally:
        await store.close()


async def test_sec_s23_verifying_counts_every_chain_and_prints_the_head(patient):
    path, _ = patient

    found = await chains(path)

    assert (found.log_rows, found.conversations, found.audit_rows, found.broken) == (23, 5, 6, None)
    assert len(found.audit_head) == 64


async def test_sec_s23_a_tail_cut_off_the_audit_log_is_found_by_an_anchor_kept_elsewhere(patient):
    path, _ = patient
    anchor = (await chains(path)).audit_head
    assert (await chains(path, anchor)).broken is None

    hurt(path, "DELETE FROM audit WHERE id = (SELECT MAX(id) FROM audit)")

    assert (await chains(path)).broken is None
    assert (await chains(path, anchor)).broken == "audit: the anchor is not in the chain"


@pytest.mark.parametrize("field", ["at", "who", "what", "subject", "facts", "address", "prev_hash", "hash"])
async def test_sec_s23_each_field_of_an_audit_row_is_under_its_hash(patient, field):
    path, _ = patient
    hurt(path, f"UPDATE audit SET {field} = {field} || '1' WHERE id = 3")

    assert (await chains(path)).broken == "audit 3"


@pytest.mark.parametrize(
    "field",
    [
        "at",
        "contact_id",
        "channel_id",
        "outcome",
        "reason",
        "event_id",
        "event",
        "frm",
        '"to"',
        "facts",
        "prev_hash",
        "hash",
    ],
)
async def test_i25_each_field_of_a_log_row_is_under_its_hash(patient, field):
    path, _ = patient
    hurt(path, f"UPDATE log SET {field} = COALESCE({field}, '') || '1' WHERE id = 14")

    assert (await chains(path)).broken == "conversation 1: log 14"


async def test_i25_a_chain_whose_conversation_is_gone_is_found(patient):
    path, _ = patient
    hurt(path, "DELETE FROM conversation WHERE id = 4")

    assert (await chains(path)).broken == "log 4: its conversation is gone"
