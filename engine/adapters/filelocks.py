"""Locks on files of the data folder, let go by the system when their holder ends, however it ends."""

import fcntl
import os
from pathlib import Path


def hold(path: Path) -> int | None:
    """Take the lock until the returned descriptor is closed; None when another process holds it. Makes the file."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor


def wait_until_free(path: Path) -> None:
    """Blocks while another process holds the lock; a file that is not there is free."""
    try:
        descriptor = os.open(path, os.O_RDWR)
    except FileNotFoundError:
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH)
    finally:
        os.close(descriptor)
