"""A legend below a finished export drawing: swatches and short lines with their words, in as many rows as they need.

Graphviz could only give it a place in the layout, which would move the boxes; so it is put below, where nothing is.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from engine.core.diagram.labels import clean
from engine.core.diagram.legend import Entry
from engine.core.diagram.metrics import width

__all__ = ["Legend"]

SIZE, ROW, SWATCH, LINE, GAP, SIDE, FOOT = 12, 24, 16, 26, 22, 18, 14


@dataclass(frozen=True, slots=True)
class Legend:
    """The entries, in order; they begin `left` points from the side."""

    entries: Sequence[Entry]
    left: float = SIDE

    @property
    def icons(self) -> frozenset[str]:
        """The symbols that it uses."""
        return frozenset(entry.icon for entry in self.entries if entry.icon)

    def height(self, wide: float) -> float:
        """How high it is below a drawing of that width."""
        return len(self._rows(wide)) * ROW + FOOT if self.entries else 0.0

    def elements(self, wide: float, top: float, colours: Mapping[str, str]) -> Iterator[ET.Element]:
        """Its shapes and words, from `top` on downwards."""
        for number, row in enumerate(self._rows(wide)):
            for x, entry in row:
                yield from _drawn(entry, x, top + number * ROW, colours)

    def _rows(self, wide: float) -> list[list[tuple[float, Entry]]]:
        rows: list[list[tuple[float, Entry]]] = [[]]
        x = float(self.left)
        for entry in self.entries:
            own = (SWATCH if entry.icon else LINE) + 6 + width(clean(entry.text), SIZE)
            if rows[-1] and x + own > wide - SIDE:
                rows.append([])
                x = float(self.left)
            rows[-1].append((x, entry))
            x += own + GAP
        return rows


def _drawn(entry: Entry, x: float, top: float, colours: Mapping[str, str]) -> Iterator[ET.Element]:
    middle = top + ROW / 2
    if entry.icon:
        wide, y = SWATCH, middle - SWATCH / 2
        corners = ((x, y), (x + SWATCH, y), (x + SWATCH, y + SWATCH), (x, y + SWATCH), (x, y))
        points = " ".join(f"{a:.2f},{b:.2f}" for a, b in corners)
        yield ET.Element(
            "polygon",
            {"points": points, "fill": colours[f"{entry.ink}-bg"], "stroke": colours[f"{entry.ink}-bd"]},
        )
        place = {"x": f"{x + 2:.2f}", "y": f"{y + 2:.2f}", "width": "12", "height": "12"}
        yield ET.Element("use", {"href": f"#di-{entry.icon}", **place, "color": colours[f"{entry.ink}-fg"]})
    else:
        wide = LINE
        thick = "2.2" if entry.ink == "global" else "1.4"
        dashes = {"stroke-dasharray": "5,2"} if entry.ink == "clock" else {}
        line = {"d": f"M{x:.2f},{middle:.2f} L{x + LINE:.2f},{middle:.2f}", "fill": "none", "stroke-width": thick}
        yield ET.Element("path", {**line, "stroke": colours[entry.ink], **dashes})
    at = {"x": f"{x + wide + 6:.2f}", "y": f"{middle + SIZE * 0.35:.2f}", "font-size": f"{SIZE:.2f}"}
    words = ET.Element("text", {**at, "fill": colours["muted"]})
    words.text = clean(entry.text)
    yield words
