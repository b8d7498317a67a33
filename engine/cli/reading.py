"""FLOW on the command line: the flow that an argument means, from a file, the database or the samples."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from engine.cli.answers import Unusable
from engine.cli.opening import database_there, require_current, settings_now
from engine.core.errors import InvalidDocument

if TYPE_CHECKING:
    from engine.services.flow_source import Found

__all__ = ["flow_meant", "said"]


def flow_meant(name: str, language: str = "en") -> "Found":
    """The flow; the database is opened only when a slug is given and it is there. Raises Unusable, NotFound."""
    from engine.services import flow_source

    try:
        return asyncio.run(_found(name)) if flow_source.asks_database(name) else flow_source.from_file(Path(name))
    except InvalidDocument as error:
        raise Unusable(*said(error, language)) from None


def said(error: InvalidDocument, language: str) -> list[tuple[str, str]]:
    """The mistakes of a document in a language."""
    from engine.core.document_messages import sentence

    return [(mistake.place, sentence(mistake, language)) for mistake in error.mistakes]


async def _found(name: str) -> "Found":
    from engine.services import flow_source

    settings = settings_now()
    if not database_there(settings):
        return await flow_source.find(name, None)
    from engine.store.lanes import Store

    store = Store(settings.database_url)
    try:
        await require_current(store)
        return await flow_source.find(name, store)
    finally:
        await store.close()
