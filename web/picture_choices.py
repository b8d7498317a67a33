"""What a picture of a flow shall show, as its address says it: every wrong value is told, none is guessed."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from urllib.parse import urlencode

from litestar.exceptions import ClientException

from engine.core.diagram.phases import phases
from engine.core.flow import Flow
from engine.services import draw_phases
from engine.services.draw import Format
from web.forms import whole
from web.i18n import gettext

__all__ = ["ALL", "FILES", "FORMATS", "RATIOS", "THEMES", "WHOLE", "Choices", "WrongChoice", "choices", "drawn_phase"]

FORMATS = ("png", "svg", "pdf", "mmd", "dot", "json")
FILES: Mapping[str, Format] = {"png": "png", "svg": "svg", "pdf": "pdf", "mmd": "mmd", "dot": "dot"}
THEMES = ("light", "dark")
FREE = "free"
RATIOS = ("16x9", "4x3", "1x1", "a4", FREE)
LIVE, DRAFT = "live", "draft"
WHOLE, ALL = -1, "all"
"""One picture of the whole flow, and how an address says that."""
SWITCHES = ("title", "legend", "actions", "counts", "ids")


class WrongChoice(ClientException):
    """A value that means nothing (400). `words` say which and what would do, in the reader's language."""

    def __init__(self, words: str) -> None:
        self.words = words
        super().__init__(detail="the address of the picture has a wrong value")


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """`version` is live, draft or a number; `ratio` is one of RATIOS; `phase` is the number of a phase of a large flow, 0
    for their overview, WHOLE for one picture of all, None for what is usual.
    """

    version: str = ""
    theme: str = "light"
    ratio: str = FREE
    title: bool = True
    legend: bool = False
    actions: bool = True
    counts: bool = False
    ids: bool = False
    phase: int | None = None

    def query(self, **other: object) -> str:
        """As an address says it, whole, so that it means the same for ever; `other` replaces values."""
        values = {each.name: getattr(self, each.name) for each in fields(self)} | other
        values["phase"] = ALL if values["phase"] == WHOLE else values["phase"]
        told = {name: int(value) if isinstance(value, bool) else value for name, value in values.items()}
        return urlencode({name: value for name, value in told.items() if value is not None})


def drawn_phase(flow: Flow, chosen: Choices, kind: str) -> int | None:
    """What of a flow is drawn: None for all of it, a phase, or the overview of them. A small flow has no overview."""
    if kind == "json" or chosen.phase == WHOLE or (not chosen.phase and not phases(flow)):
        return None
    return draw_phases.usual(flow, FILES[kind]) if chosen.phase is None else chosen.phase


def choices(query: Mapping[str, object], usual: Choices | None = None) -> Choices:
    """What a query says; what it leaves out is as `usual`. Raises WrongChoice."""
    plain = usual or Choices()
    given = {name: str(query[name]) for name in ("version", "theme", "ratio") if query.get(name) not in (None, "")}
    version = given.get("version", plain.version)
    if version not in ("", LIVE, DRAFT) and not whole(version):
        raise WrongChoice(gettext("version is live, draft or the number of a version."))
    theme, ratio = given.get("theme", plain.theme), given.get("ratio", plain.ratio)
    if theme not in THEMES:
        raise WrongChoice(gettext("theme is one of these: %(values)s.") % {"values": ", ".join(THEMES)})
    if ratio not in RATIOS:
        raise WrongChoice(gettext("ratio is one of these: %(values)s.") % {"values": ", ".join(RATIOS)})
    return Choices(
        phase=_phase(query, plain.phase),
        version=version,
        theme=theme,
        ratio=ratio,
        **{name: _switch(query, name, getattr(plain, name)) for name in SWITCHES},
    )


def _phase(query: Mapping[str, object], usual: int | None) -> int | None:
    value = query.get("phase")
    if value in (None, ""):
        return usual
    number = WHOLE if value == ALL else whole(str(value))
    if number is None:
        raise WrongChoice(gettext("phase is the number of a phase, 0 for the overview, or all."))
    return number


def _switch(query: Mapping[str, object], name: str, usual: bool) -> bool:
    value = query.get(name)
    if value is None:
        return usual
    if value not in ("0", "1"):
        raise WrongChoice(gettext("%(name)s is 0 or 1.") % {"name": name})
    return value == "1"
