"""File locks: one holder, freed by whatever ends it, waited for without asking again and again."""

import os
import subprocess
import sys
from pathlib import Path

from engine.adapters.filelocks import hold, wait_until_free

WAITER = """
import pathlib, sys
from engine.adapters.filelocks import wait_until_free
print("waiting", flush=True)
wait_until_free(pathlib.Path(sys.argv[1]))
print("free", flush=True)
"""
HOLDER = """
import os, pathlib, sys
from engine.adapters.filelocks import hold
assert hold(pathlib.Path(sys.argv[1])) is not None
os.kill(os.getpid(), 9)
"""


def test_one_process_holds_a_lock_and_letting_go_frees_it(tmp_path: Path) -> None:
    first = hold(tmp_path / "lock")
    assert first is not None
    assert hold(tmp_path / "lock") is None

    os.close(first)

    second = hold(tmp_path / "lock")
    assert second is not None
    os.close(second)


def test_a_lock_ends_with_its_holder(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", HOLDER, tmp_path / "lock"], check=False)

    descriptor = hold(tmp_path / "lock")

    assert descriptor is not None
    os.close(descriptor)


def test_whoever_waits_goes_on_when_the_lock_is_free_and_not_before(tmp_path: Path) -> None:
    descriptor = hold(tmp_path / "lock")
    assert descriptor is not None
    with subprocess.Popen(
        [sys.executable, "-c", WAITER, tmp_path / "lock"], stdout=subprocess.PIPE, text=True
    ) as waiter:
        assert waiter.stdout is not None
        assert waiter.stdout.readline() == "waiting\n"
        assert waiter.poll() is None
        os.close(descriptor)
        assert waiter.stdout.readline() == "free\n"


def test_a_file_that_is_not_there_is_free(tmp_path: Path) -> None:
    wait_until_free(tmp_path / "lock")

    assert not (tmp_path / "lock").exists()
