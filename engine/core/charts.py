"""Charts as SVG text: a few shapes whose colours are classes of the style sheet, so that one picture suits every theme.

Only the elements and attributes listed here are ever written; every value is escaped. A chart repeats what a table
beside it says: it is hidden from those who listen, and the table is not.
"""

from collections.abc import Sequence
from html import escape

__all__ = ["Mark", "bar", "element", "histogram", "spread"]

_ELEMENTS = frozenset({"svg", "g", "rect", "line", "text", "title"})
_ATTRIBUTES = frozenset(
    {
        *("class", "viewBox", "preserveAspectRatio", "aria-hidden", "focusable", "role", "aria-label"),
        *("x", "y", "x1", "y1", "x2", "y2", "width", "height", "text-anchor"),
    }
)
_WIDE, _HIGH, _FOOT, _HEAD = 600, 220, 24, 40

Mark = tuple[float, str, str]
"""A line across a chart: where (0 to 1), its class, its words."""


def element(name: str, inside: str = "", /, **given: str | float) -> str:
    """One element. `cls` is its class, an underscore in a name a dash. Raises ValueError for what no chart needs."""
    named = {"class" if key == "cls" else key.replace("_", "-"): value for key, value in given.items()}
    if name not in _ELEMENTS or not named.keys() <= _ATTRIBUTES:
        raise ValueError(f"no chart has {name} {sorted(named.keys() - _ATTRIBUTES)}")
    told = "".join(f' {key}="{escape(_plain(value))}"' for key, value in named.items())
    return f"<{name}{told}>{inside}</{name}>"


def _plain(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:.2f}".rstrip("0").rstrip(".")


def bar(share: float, kind: str) -> str:
    """A bar as long as a share of the whole, 0 to 1; `kind` is the class with the colours of a state."""
    filled = element("rect", cls="v", x=0, y=0, width=_percent(share), height=10)
    return _flat(element("rect", cls="track", x=0, y=0, width=100, height=10) + filled, kind)


def spread(quarters: tuple[float, float, float, float], kind: str) -> str:
    """First quarter, median, third quarter and nine tenths, each a share of the whole; what is longer ends at its end."""
    first, middle, third, nine = (_percent(share) for share in quarters)
    inside = (
        element("rect", cls="track", x=0, y=0, width=100, height=10),
        element("line", cls="whisker", x1=first, y1=5, x2=nine, y2=5),
        element("rect", cls="v", x=first, y=1, width=max(third - first, 0.5), height=8),
        element("line", cls="median", x1=middle, y1=0, x2=middle, y2=10),
        element("line", cls="end", x1=nine, y1=2, x2=nine, y2=8),
    )
    return _flat("".join(inside), kind)


def _percent(share: float) -> float:
    return 100 * min(max(share, 0.0), 1.0)


def _flat(inside: str, kind: str) -> str:
    return element(
        "svg", inside, cls=f"chart flat {kind}", viewBox="0 0 100 10", preserveAspectRatio="none", aria_hidden="true",
        focusable="false",
    )  # fmt: skip


def histogram(counts: Sequence[int], classes: Sequence[str], ticks: Sequence[str], marks: Sequence[Mark]) -> str:
    """One column a count, `ticks` evenly below them from the left end to the right one, `marks` across."""
    most, wide, foot = max(counts, default=0) or 1, _WIDE / (len(counts) or 1), _HIGH - _FOOT
    columns = []
    for place, (count, kind) in enumerate(zip(counts, classes, strict=True)):
        high = (foot - _HEAD) * count / most
        columns.append(
            element("rect", cls=f"bin {kind}", x=place * wide + 1.5, y=foot - high, width=wide - 3, height=high)
        )
    lines = []
    for number, (at, kind, words) in enumerate(marks):
        x, left = _WIDE * min(max(at, 0.0), 1.0), at > 0.75
        told = element(
            "text", escape(words), cls=f"told {kind}", x=x + (-6 if left else 6), y=12 + 16 * number,
            text_anchor="end" if left else "start",
        )  # fmt: skip
        lines.append(element("line", cls=f"mark {kind}", x1=x, y1=0, x2=x, y2=foot) + told)
    last = max(len(ticks) - 1, 1)
    feet = [
        element(
            "text", escape(words), cls="tick", x=_WIDE * number / last, y=_HIGH - 6,
            text_anchor="start" if number == 0 else "end" if number == last else "middle",
        )
        for number, words in enumerate(ticks)
    ]  # fmt: skip
    ground = element("line", cls="ground", x1=0, y1=foot, x2=_WIDE, y2=foot)
    inside = "".join((*columns, ground, *lines, *feet))
    return element(
        "svg", inside, cls="chart hist", viewBox=f"0 0 {_WIDE} {_HIGH}", aria_hidden="true", focusable="false"
    )
