"""Who else looks at a conversation now, and whether they are writing."""

from engine.runtime import Runtime
from engine.services import presence
from web.i18n import gettext
from web.visitor import Visitor

__all__ = ["WRITING", "here", "place", "told"]

WRITING = "writing"


def place(conversation_id: int) -> str:
    """How the list of who is where calls a conversation; no flow is called so."""
    return f"conversation:{conversation_id}"


async def here(runtime: Runtime, conversation_id: int, person: Visitor) -> tuple[str, ...]:
    """Everybody else, in words."""
    own = person.account.id if person.account is not None else 0
    return told(await presence.others(runtime, place(conversation_id), own))


def told(people: tuple[presence.Present, ...]) -> tuple[str, ...]:
    """Each of them in words."""
    return tuple(
        (gettext("%(who)s is writing here") if one.sel == WRITING else gettext("%(who)s is in this conversation"))
        % {"who": one.name}
        for one in people
    )
