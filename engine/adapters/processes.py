"""Child processes that never outlive the process that started them, however it ends."""

import ctypes
import os
import signal
import sys
from collections.abc import Callable

_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def die_with_parent(parent: int, signal_number: int = signal.SIGTERM) -> None:
    """Ask the kernel to signal this process when its parent ends; `parent` is the parent's process id.

    Called in the child. Linux only: elsewhere a killed parent leaves its children, a stopped one does not. The signal
    comes when the THREAD that started the child ends, so children are started from a thread that lives long.
    """
    if _LIBC is None:
        return
    _LIBC.prctl(_PR_SET_PDEATHSIG, int(signal_number), 0, 0, 0)
    if os.getppid() != parent:  # it ended before the kernel was asked
        os._exit(1)


def tied(signal_number: int = signal.SIGTERM) -> Callable[[], None]:
    """`preexec_fn` for a program that is not ours and so cannot call die_with_parent itself."""
    parent = os.getpid()

    def ask() -> None:
        die_with_parent(parent, signal_number)

    return ask
