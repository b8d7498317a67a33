"""The doctor finds every broken invariant, exactly it, and nothing on a database that nobody touched (I2 to I27)."""

import shutil
import sqlite3
from contextlib import closing

import pytest
import pytest_asyncio

from engine.services.doctor import examine
from engine.services.doctor_chains import verify
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
    assert looked_at >= set(SAYS) - {"unread", "leases"}, "the day has something of everything"


ONE = "(SELECT MIN(conversation_id) FROM outbox WHERE author IS NULL)"
CLOCKED = "(SELECT MIN(id) FROM outbox WHERE cause = 'clock' AND status = 'sent')"
WOUNDS = {
    "stored-once": [PLAIN.format("inbound"), "INSERT INTO inbound SELECT * FROM inbound WHERE outcome IS NULL OR id = 1",
                    "UPDATE inbound SET outcome = 'ignored', event_id = NULL, id = 999 WHERE rowid = (SELECT MAX(rowid) FROM inbound)"],
    "one-outcome": ["UPDATE event SET outcome = 'taken', source = 'human', conversation_id = NULL WHERE id LIKE 'ui:%'"],
    "batches": ["UPDATE inbound SET provider_id = 'another' WHERE id = 2"],
    "applied-once": ["UPDATE event SET outcome = 'ignored' WHERE id = 'in:1'"],
    "replay": ["UPDATE conversation SET entered_at = entered_at + 1 WHERE id = 1"],
    "justified": [f"UPDATE outbox SET event_id = NULL, once_key = 'resend:1' WHERE id = {CLOCKED}",
                  f"INSERT INTO outbox (conversation_id, contact_id, event_id, action, part, parts, cause, is_global, confirms_opt_out, critical, state, payload, as_template, status, created_at, due_at, lease_until, attempt, provider_id, sent_at) SELECT conversation_id, contact_id, (SELECT event_id FROM log WHERE conversation_id = o.conversation_id AND facts LIKE '%\"' || o.action || '\"%' AND event_id LIKE 'timeout%' LIMIT 1), action, part, parts, cause, is_global, confirms_opt_out, critical, state, payload, as_template, status, created_at, due_at, lease_until, attempt, provider_id, sent_at FROM outbox o WHERE id = {CLOCKED}"],
    "complete": ["DELETE FROM outbox WHERE id = 1"],
    "once-keys": [PLAIN.format("outbox"), "UPDATE outbox SET once_key = 'resend:x', conversation_id = 1, contact_id = 1, author = 'x' WHERE cause = 'operator'",
                  "INSERT INTO outbox SELECT * FROM outbox WHERE cause = 'operator'", "UPDATE outbox SET id = 998 WHERE rowid = (SELECT MAX(rowid) FROM outbox)"],
    "in-line": ["UPDATE outbox SET status = 'sending', lease_until = 9000000000000 WHERE id IN (SELECT id FROM outbox WHERE conversation_id = 1 LIMIT 2)"],
    "evidence": ["UPDATE outbox SET provider_id = NULL WHERE id = 1"],
    "consent": ["UPDATE contact SET opt_out_at = NULL"],
    "states": ["UPDATE conversation SET previous = 'NOWHERE', flow_version = 1 WHERE id = 1 AND 1 = 0", "UPDATE flow_version SET document = replace(document, '\"PERDIDO\"', '\"SUMIDO\"')", "UPDATE flow_version SET sha256 = sha256"],
}
