"""What a new flow can begin from, with a name and a sentence of what it shows."""

from dataclasses import dataclass

from engine import samples
from engine.core.document import read
from web import i18n
from web.i18n import gettext

__all__ = ["Start", "starts", "usual_title"]


@dataclass(frozen=True, slots=True)
class Start:
    """One beginning: `states` says how many states it has, `told` what it shows."""

    name: str
    title: str
    told: str
    states: int
    recommended: bool


def starts() -> tuple[Start, ...]:
    """The samples that ship, and the empty flow."""
    told = {
        "venda": gettext(
            "From the first message to the paid access: offer, checkout, Pix, recovery and opt-out, all proved."
        ),
        "venda-literal": gettext(
            "The same sale as it is first drawn, with the holes that the checks point out: to learn from."
        ),
        samples.EMPTY: gettext(
            "Somebody writes, pays, asks to stop or goes quiet: the smallest flow that can be published."
        ),
    }
    names = (*samples.names(), samples.EMPTY)
    return tuple(_start(name, told.get(name, ""), recommended=name == names[0]) for name in names)


def _start(name: str, told: str, *, recommended: bool) -> Start:
    flow = read(samples.tree(name))
    return Start(name, flow.title.within(i18n.current()), told, len(flow.states), recommended)


def usual_title(start: str) -> str:
    """The title that the form offers for a beginning."""
    if start in samples.names():
        return read(samples.tree(start)).title.within(i18n.current())
    return "" if start == "file" else gettext("New flow")
