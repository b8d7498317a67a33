"""A publisher that is killed between two statements leaves nothing half done; the next one does all of it (R25, R61)."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from engine.services import doctor, publish
from tests.services.small_flow import TREE
from tests.services.standing import row, stand
from tests.services.test_carry import MARINA

ROOT = Path(__file__).parent.parent.parent


def publishes(url, last=0):
    """Another process publishes, and dies before its statement `last`; its exit code and its words."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "tests.services.dying_publisher", url, str(last)]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=ROOT, timeout=60, check=False)
    return ended.returncode, ended.stdout or ended.stderr


async def everything(runtime, ids):
    tables = ("flow", "flow_version", "publication_move", "log", "audit", "outbox")
    counts = [await runtime.store.read(lambda tx, t=t: tx.value(f"SELECT count(*) FROM {t}")) for t in tables]
    return counts, [await row(runtime, one) for one in ids]


async def test_whoever_is_killed_in_the_middle_of_publishing_did_nothing(runtime, database_url):
    await publish.publish_tree(runtime, TREE, "primeira", MARINA)
    ids = [
        await stand(runtime, state, previous=previous)
        for state, previous in (("CONVERSA", "NOVO"), ("FIM", "CONVERSA"), ("NOVO", None), ("CONVERSA", None))
    ]
    before = await everything(runtime, ids)
    for last in (3, 7, 10, 13, 15):
        code, _ = publishes(database_url, last)
        assert code == -signal.SIGKILL
        assert await everything(runtime, ids) == before, f"killed before statement {last}"

    code, said = publishes(database_url)

    assert (code, said.split()[0]) == (0, "2"), said
    assert int(said.split()[1]) >= 15, "the last kill was near the end"
    assert [(await row(runtime, one))["state"] for one in ids] == ["NOVO", "FIM", "NOVO", "NOVO"]
    assert [v.invariant for v in await doctor.examine(runtime.store, runtime.clock.now()) if v.broken] == []
