"""Which flow somebody means: a file, `slug@version` of the database, or a bare slug (its draft, else the sample)."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from engine import samples
from engine.adapters.documents import read_file
from engine.core.document import read
from engine.core.errors import NotFound
from engine.core.flow import Flow
from engine.store import flows
from engine.store.connection import Tx
from engine.store.lanes import Store

__all__ = ["Found", "asks_database", "find", "from_file"]

_NAMED = re.compile(r"([a-z][a-z0-9-]{0,63})(?:@([1-9][0-9]{0,8}))?")


@dataclass(frozen=True, slots=True)
class Found:
    """A flow, and where it was: `origin` is file, draft, version or sample."""

    flow: Flow
    tree: Mapping[str, object]
    origin: str


def asks_database(name: str) -> bool:
    """Whether a name means something that may be in the database: a slug, with a version or without, and no file."""
    return _NAMED.fullmatch(name) is not None and not Path(name).is_file()


def from_file(path: Path) -> Found:
    """The flow of a JSON or YAML file. Raises InvalidDocument."""
    return _read(read_file(path), "file")


async def find(name: str, store: Store | None) -> Found:
    """The flow that is meant; `store` None when there is no database. Raises InvalidDocument, NotFound."""
    found = _NAMED.fullmatch(name)
    if not asks_database(name) or found is None:
        return from_file(Path(name))
    slug, number = found[1], None if found[2] is None else int(found[2])
    text = None if store is None else await store.read(lambda tx: _stored(tx, slug, number))
    if text is not None:
        return _read(json.loads(text), "draft" if number is None else "version")
    if number is None and slug in samples.names():
        return _read(samples.tree(slug), "sample")
    raise NotFound("flow", name)


def _stored(tx: Tx, slug: str, number: int | None) -> str | None:
    if number is not None:
        return flows.document(tx, slug, number)
    draft = flows.draft(tx, slug)
    return None if draft is None else draft.document


def _read(tree: object, origin: str) -> Found:
    flow = read(tree)
    return Found(flow, tree if isinstance(tree, Mapping) else {}, origin)
