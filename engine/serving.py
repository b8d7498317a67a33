"""How the web application is put into server processes: the server's command line, and what runs first inside each."""

import gc
import importlib
import os
import signal
import sys
from typing import Any

from engine.adapters.filelocks import wait_until_free
from engine.adapters.processes import die_with_parent
from engine.settings import from_environment

APPLICATION = ("web.app", "create_app")
"""By name: nothing in the engine imports the web."""
PREPARING = "prepare.lock"
"""The file of the data folder that is locked while the database is brought to its schema."""
HEADERS_MS = 20_000
"""For the head of a request, also one that never begins: so many silent connections would be all that there are. It
holds for HTTP/1 alone; while the server still guesses the version it waits for ever. The body has its own limit, in the
application.
"""
GRACE_S = 3
"""An open live page never ends by itself, so a stopping server waits so long for its answers and then goes."""


def command(host: str, port: int, workers: int = 1) -> list[str]:
    """The server's command line; the settings come from the environment."""
    return [
        *(sys.executable, "-m", "granian", "engine.serving:create_app", "--factory", "--interface", "asgi"),
        *("--host", host, "--port", str(port), "--workers", str(workers), "--workers-kill-timeout", str(GRACE_S)),
        *("--no-ws", "--log-level", "warning", "--http", "1", "--http1-header-read-timeout", str(HEADERS_MS)),
    ]


SWITCH_S = 0.0005
"""How long one thread may keep the interpreter while others wait: the lanes' threads do many short waits on the database,
and after each one they would stand behind the event loop for the usual 5 ms."""


def create_app() -> Any:
    """Called by the server in each of its workers. They end with the server, which alone holds the port.

    Under `trilho run` the long part, reading the code, goes on while the database is prepared; connections wait.
    """
    sys.setswitchinterval(SWITCH_S)
    die_with_parent(os.getppid(), signal.SIGKILL)  # an answer that was given is committed: nothing to tidy up
    from engine import logs  # here: the supervisor, which only needs the command line, stays small

    settings = from_environment(os.environ)
    logs.configure(settings.log)
    module, factory = APPLICATION
    make = getattr(importlib.import_module(module), factory)
    wait_until_free(settings.data_dir / PREPARING)
    application = make()
    # What was read so far stays for good: a collector that walks over it again holds everybody up for 25 ms each time.
    gc.collect()
    gc.freeze()
    return application
