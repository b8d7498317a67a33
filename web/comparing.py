"""Two versions beside each other: what differs, entry by entry, and what happens differently."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.core.changes import changes
from engine.core.document import read
from engine.core.errors import NotFound
from engine.core.flow import Flow
from engine.runtime import Runtime
from engine.services import publish
from engine.services.differing import differing
from web.behaviour_words import Behaviour, behaviours
from web.change_words import Row, rows
from web.forms import whole
from web.i18n import gettext

__all__ = ["DRAFT", "Compared", "Side", "compared", "side"]

DRAFT = "draft"


@dataclass(frozen=True, slots=True)
class Side:
    """A version or the draft. `key` is its word in an address, `name` that of a page."""

    key: str
    name: str
    tree: Mapping[str, object]
    flow: Flow


async def side(runtime: Runtime, slug: str, key: str) -> Side:
    """What `draft` or a number means. Raises NotFound."""
    number = whole(key)
    if key != DRAFT and number is None:
        raise NotFound("version", f"{slug}@{key[:20]}")
    tree = json.loads(await publish.shown(runtime, slug, number))
    name = gettext("draft") if number is None else gettext("v%(n)s") % {"n": number}
    return Side(key, name, tree, read(tree))


@dataclass(frozen=True, slots=True)
class Compared:
    """What the parts of the page of a comparison read."""

    changes: Sequence[Row]
    behaviour: Sequence[Behaviour]


async def compared(old: Side, new: Side, people: Mapping[str, int]) -> Compared:
    """What differs from one to the other; `people` are the live conversations in each state."""
    return Compared(
        rows(old.flow, new.flow, changes(old.tree, new.tree), people),
        behaviours(await differing(old.flow, new.flow), people),
    )
