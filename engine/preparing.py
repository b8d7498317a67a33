"""What happens once before the parts of `trilho run` start: key, schema, samples, first administrator.

A process of its own, so that the memory it takes is given back: `python -m engine.preparing` prints one JSON document.
"""

import asyncio
import json
import os
import sys

from engine.core.errors import BadSettings, TrilhoError
from engine.runtime import open_runtime
from engine.services import install
from engine.settings import Settings, from_environment

WAY_IN = "/setup/"
"""The page of the web application that takes the token of an invitation."""


async def prepare(settings: Settings) -> str | None:
    """Returns the one-time link of the first administrator, or None when there is somebody already."""
    runtime = await open_runtime(settings)
    try:
        await runtime.store.migrate()
        token = await install.first_start(runtime)
    finally:
        await runtime.close()
    return f"{settings.base_url or ''}{WAY_IN}{token}" if token else None


def main() -> int:
    """Exit code 2 for settings that cannot be used, 1 for anything else that a person can mend."""
    try:
        link = asyncio.run(prepare(from_environment(os.environ)))
    except TrilhoError as error:
        print(error, file=sys.stderr)  # noqa: T201 - the parent shows it
        return 2 if isinstance(error, BadSettings) else 1
    print(json.dumps({"link": link}))  # noqa: T201 - the parent reads it
    return 0


if __name__ == "__main__":
    sys.exit(main())
