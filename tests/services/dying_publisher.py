"""A process that publishes and kills itself before its n-th statement: `python -m tests.services.dying_publisher URL N`."""

import asyncio
import os
import signal
import sys

from engine.core.permissions import Actor
from engine.core.places import Plan
from engine.services import publish
from engine.store.connection import Tx
from engine.store.lanes import Store
from tests.runtimes import a_runtime
from tests.services.small_flow import without_talk

PLAN = Plan(places={(1, "CONVERSA"): "NOVO"})
NOTE = "sem conversa"


async def main(url: str, last: int) -> None:
    """Count the statements of writing transactions; stop hard before number `last`. Print how many there were."""
    count, plain = 0, Tx._executed

    def counted(self: Tx, sql: str, params: object) -> object:
        nonlocal count
        count += 1
        if count == last:
            os.kill(os.getpid(), signal.SIGKILL)
        return plain(self, sql, params)  # type: ignore[arg-type]  # the signature is that of the original

    Tx._executed = counted  # type: ignore[method-assign, assignment]  # this process dies in the middle of it
    runtime = a_runtime(url, store=Store(url, inline=True))
    number = await publish.publish_tree(runtime, without_talk(), NOTE, Actor("marina@example.com"), plan=PLAN)
    sys.stdout.write(f"{number} {count}")
    await runtime.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
