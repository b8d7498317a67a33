"""A fake server beside code that has an event loop of its own, as commands do."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from tests.fakes.faults import FakeServer

Fake = TypeVar("Fake", bound=FakeServer)


@contextmanager
def beside(fake: Fake) -> Iterator[Fake]:
    """The fake, served from another thread until the block ends."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()

    def done(step: object) -> None:
        asyncio.run_coroutine_threadsafe(step, loop).result(10)  # type: ignore[arg-type] # a coroutine of the fake

    done(fake.__aenter__())
    try:
        yield fake
    finally:
        done(fake.__aexit__(None, None, None))
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
