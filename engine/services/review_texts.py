"""Messages that no rule understood, for a person to look at: the same text once, with how often it came."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from engine.core.classify import Fragment, classify
from engine.core.errors import Refused
from engine.core.flow import Flow, Millis
from engine.core.folding import visible, words
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.services.source_events import flow_of
from engine.store import audit, reviewing
from engine.store.connection import Tx

__all__ = ["MOST", "SHOWN", "Unclear", "call_right", "unclear"]

MOST = 1_000
"""How many messages are grouped."""
SHOWN = 20
_DIGEST = 64


@dataclass(frozen=True, slots=True)
class Unclear:
    """One text in its newest spelling. `digest` names it without its words."""

    digest: str
    text: str
    times: int
    last_at: Millis
    conversation_id: int


async def unclear(runtime: Runtime, draft: Flow) -> tuple[list[Unclear], bool]:
    """The texts that only became the general event, the newest first, and whether there are more than are shown.

    What the draft understands by now is left out: to teach a phrase takes its texts off the list.
    """

    def unit(tx: Tx) -> tuple[list[dict[str, Any]], set[str]]:
        live = flow_of(tx, draft.slug)
        general = {draft.general_message} | ({live.general_message} if live is not None else set())
        rows = reviewing.general(tx, draft.slug, sorted(general), MOST)
        return rows, reviewing.called_right(tx, draft.slug)

    rows, settled = await runtime.store.read(unit)
    found: list[Unclear] = []
    for group in _grouped(rows):
        if group.digest in settled or classify(draft, [Fragment(group.text)]).event != draft.general_message:
            continue
        if len(found) == SHOWN:
            return found, True
        found.append(group)
    return found, False


def _grouped(rows: Sequence[Mapping[str, Any]]) -> list[Unclear]:
    """Equal texts together, in the order in which the newest of each came."""
    groups: dict[str, Unclear] = {}
    for row in rows:
        text = str(row["text"])
        if not visible(text):
            continue
        digest = digest_of(text)
        known = groups.get(digest)
        if known is None:
            groups[digest] = Unclear(digest, text, 1, int(row["received_at"]), int(row["conversation_id"]))
        else:
            groups[digest] = Unclear(digest, known.text, known.times + 1, known.last_at, known.conversation_id)
    return list(groups.values())


def digest_of(text: str) -> str:
    """The same for texts that say the same words; a text without words (an emoji) is itself."""
    return sha256((" ".join(words(text)) or text.strip()).encode()).hexdigest()


async def call_right(runtime: Runtime, slug: str, digest: str, actor: Actor) -> None:
    """A person says that a text need not be understood better. Raises Refused("bad_digest")."""
    if len(digest) != _DIGEST or not set(digest) <= set("0123456789abcdef"):
        raise Refused("bad_digest")
    now = runtime.clock.now()

    def unit(tx: Tx) -> None:
        if reviewing.call_right(tx, slug, digest, now, actor.who):
            audit.note(tx, now, actor, "understanding.right", subject=slug, facts={"digest": digest})

    await runtime.store.write(f"review:{slug}", unit)
