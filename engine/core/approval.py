"""What a person approves: the messages that the arrow on `approved` would send, rendered, and their digest (R7).

What is shown is what is hashed, and what is hashed is what leaves: a letter of an approved request is compared with the
request once more before it leaves.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.core import limits
from engine.core.canonical import canonical, digest
from engine.core.errors import Refused
from engine.core.folding import sanitise
from engine.core.permissions import Permission, Role, may
from engine.core.splitting import units

__all__ = ["ROLES", "Approver", "Bubble", "can_name", "digest_of", "edited", "packed", "unpacked"]

ROLES = tuple(role for role in Role if may(role, Permission.APPROVE))
"""The roles that may approve at all."""


@dataclass(frozen=True, slots=True)
class Bubble:
    """One message of the arrow: `place` is that of its action in the arrow's list, `payload` is what leaves."""

    place: int
    action: str
    part: int
    parts: int
    payload: Mapping[str, Any]

    @property
    def words(self) -> str:
        """The text, or the caption of a file; "" for what says nothing."""
        media = self.payload.get("media")
        return str((media.get("caption") if media else self.payload.get("text")) or "")

    @property
    def limit(self) -> int:
        """How many UTF-16 units the platform takes there; 0 where there is no place for words."""
        media = self.payload.get("media")
        if media:
            return 0 if media.get("kind") == "audio" else limits.CAPTION
        return limits.BODY if self.payload.get("buttons") or self.payload.get("menu") else limits.TEXT


@dataclass(frozen=True, slots=True)
class Approver:
    """Who decides: the role and the e-mail address of the account."""

    role: str
    email: str

    def may_decide(self, named: Sequence[str]) -> bool:
        """Whether this person may approve at all and, where a state names `approvers`, is among them."""
        if not may(self.role, Permission.APPROVE):
            return False
        mine = {self.role, self.email.casefold()} - {""}
        return not named or any(name.strip().casefold() in mine for name in named)


def can_name(approver: str) -> bool:
    """Whether an entry of `approvers` can be anybody: a role that may approve, or an e-mail address."""
    return "@" in approver or approver.strip().casefold() in ROLES


def packed(bubbles: Sequence[Bubble]) -> str:
    """As it is stored: canonical JSON."""
    return canonical(_tree(bubbles))


def unpacked(rows: Sequence[Mapping[str, Any]]) -> tuple[Bubble, ...]:
    """From the parsed JSON of `packed`."""
    return tuple(Bubble(**row) for row in rows)


def digest_of(bubbles: Sequence[Bubble]) -> str:
    """The sha256 of exactly what would be sent, 64 hexadecimal digits."""
    return digest(_tree(bubbles))


def edited(bubbles: Sequence[Bubble], texts: Mapping[int, str]) -> tuple[Bubble, ...]:
    """The messages with other words at these places of the list; everything else stays, buttons and template too.

    Raises Refused: empty_message, or message_too_long where the platform would not take it in one piece.
    """
    return tuple(_said(bubble, texts[n]) if n in texts else bubble for n, bubble in enumerate(bubbles))


def _said(bubble: Bubble, text: str) -> Bubble:
    words = sanitise(text.replace("\r\n", "\n"))[0].strip()
    if words == bubble.words or not bubble.limit:
        return bubble
    if not words:
        raise Refused("empty_message")
    if units(words) > bubble.limit:
        raise Refused("message_too_long", limit=bubble.limit, length=units(words))
    media = bubble.payload.get("media")
    changed = {"media": {**media, "caption": words}} if media else {"text": words}
    return replace(bubble, payload={**bubble.payload, **changed})


def _tree(bubbles: Sequence[Bubble]) -> list[dict[str, Any]]:
    return [{name: getattr(bubble, name) for name in Bubble.__slots__} for bubble in bubbles]
