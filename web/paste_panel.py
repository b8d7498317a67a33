"""What a paste did, said: the new names, what was there already, the arrows that lead nowhere and were left out."""

from dataclasses import dataclass

from engine.core.carrying import Carried, Renamed
from engine.core.flow import Flow
from web.flow_words import event_label
from web.i18n import gettext

__all__ = ["PastePanel", "paste_panel", "paste_refused"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PastePanel:
    """What _pasted.html shows; with `problem` nothing was pasted."""

    states: tuple[str, ...] = ()
    renamed: tuple[str, ...] = ()
    same: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    problem: str = ""


def paste_refused(problem: str) -> PastePanel:
    """Nothing was pasted."""
    return PastePanel(problem=problem)


def paste_panel(flow: Flow, carried: Carried) -> PastePanel:
    """What was pasted into the flow."""
    arrows = tuple(
        gettext("in %(frm)s, when %(event)s: to %(to)s, which is not here")
        % {"frm": left.frm, "event": event_label(flow, left.on), "to": left.to}
        for left in carried.left_out
    )
    return PastePanel(
        states=carried.states, renamed=tuple(map(_renamed, carried.renamed)), same=carried.same, left_out=arrows
    )


def _renamed(note: Renamed) -> str:
    kinds = {
        "state": gettext("state %(name)s is called %(to)s here"),
        "action": gettext("action %(name)s is called %(to)s here"),
        "event": gettext("event %(name)s is called %(to)s here"),
        "field": gettext("field %(name)s is called %(to)s here"),
    }
    return kinds[note.kind] % {"name": note.name, "to": note.to}
