"""The card about a change that is not taken back, or made again, without a person's word."""

from dataclasses import dataclass

from engine.core.document_messages import sentence
from engine.core.patching import Clash
from engine.runtime import Runtime
from engine.services.undoing import Asked
from web import i18n
from web.i18n import gettext
from web.people_names import name_of
from web.undo_words import field_name, there, told, wanted
from web.words import ago

__all__ = ["AskedPanel", "asked_panel"]


@dataclass(frozen=True, slots=True)
class Row:
    """One place with both values."""

    name: str
    there: str
    mine: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedPanel:
    """What _asked.html shows; `witness` is empty where it can only be left."""

    place: str
    number: int
    back: bool
    title: str
    rows: tuple[Row, ...]
    other: str
    lost: bool
    reason: str
    witness: str


async def asked_panel(runtime: Runtime, base: str, asked: Asked) -> AskedPanel:
    """The card of what has to be asked."""
    other = ""
    if asked.other is not None:
        said = {"who": await name_of(runtime, asked.other.who), "when": ago(asked.other.at, runtime.clock.now())}
        other = gettext("%(who)s changed this %(when)s") % said
    return AskedPanel(
        place=f"{base}/{'undo' if asked.back else 'redo'}",
        number=asked.change.number,
        back=asked.back,
        title=told(asked.change),
        rows=tuple(_row(clash) for clash in asked.clashes),
        other=other,
        lost=any(clash.lost for clash in asked.clashes),
        reason="; ".join(sentence(mistake, i18n.current()) for mistake in asked.mistakes[:3]),
        witness=asked.witness,
    )


def _row(clash: Clash) -> Row:
    place = clash.step.place
    name = f"{field_name(place[-1])} · {place[1]}" if len(place) > 2 else place[-1]
    return Row(name, there(clash), wanted(clash))
