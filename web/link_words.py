"""Why a number cannot send, in plain words: for the live desk, the page that connects it, and wherever channels stand."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.core.troubles import OK
from engine.services.live_counts import Down
from web.i18n import gettext

__all__ = ["ShownTrouble", "trouble_words", "troubles"]


@dataclass(frozen=True, slots=True)
class ShownTrouble:
    """A number that cannot send. `pairs`: it can be connected again on a page of ours."""

    id: int
    name: str
    title: str
    text: str
    pairs: bool


def troubles(down: Sequence[Down]) -> tuple[ShownTrouble, ...]:
    """Those that cannot send, in the current language."""
    waits = gettext("Messages wait and leave when it is connected again.")
    return tuple(
        ShownTrouble(
            one.id,
            one.name,
            gettext("%(name)s does not send.") % {"name": one.name},
            f"{trouble_words(one.state)} {waits}",
            one.pairs,
        )
        for one in down
    )


def trouble_words(state: str) -> str:
    """What is wrong and what mends it, as a sentence; a state that nobody described says its own name."""
    known = {
        OK: gettext("It is connected."),
        "connecting": gettext("It is being connected to WhatsApp."),
        "closed": gettext("The connection to WhatsApp fell."),
        "replaced": gettext("Another session of the same telephone took its place."),
        "logged_out": gettext("The telephone was disconnected: read the QR code again."),
        "blocked": gettext("WhatsApp ended the session: read the QR code again."),
        "awaits_qr": gettext("It waits for the QR code to be read."),
        "qr_expired": gettext("Nobody read the QR code in time: ask for another one."),
        "missing": gettext("The gateway has no such instance."),
        "unauthorized": gettext("The gateway does not take our key."),
        "unreached": gettext("The gateway does not answer."),
    }
    return known.get(state, gettext("The platform reports: %(state)s.") % {"state": state})
