"""A display list as DOT whose background is the whole picture: how a PNG gets icons.

This Graphviz draws no images, but it draws the `_background` of a graph in PNG: polygons, curves and words. So a
finished drawing goes through it once more, as one background behind an invisible box of its size.
"""

from collections.abc import Iterator

from engine.adapters.display import Item, Shape, Words
from engine.adapters.strokes import Point
from engine.adapters.svg import Frame

_DASHED = "dashed"


def canvas(size: Frame, items: list[Item], paper: str) -> str:
    """DOT text for `graphviz.render(…, "png")`; `paper` is the colour behind everything, up to the last pixel."""
    drawn = " ".join(operation for item in items for operation in _operations(item, size.height))
    inches = f"width={size.width / 72:.4f}, height={size.height / 72:.4f}"
    return (
        f'digraph canvas {{ graph [layout=nop2, pad=0, bgcolor="{paper}", _background="{drawn}"];\n'
        f'  box [shape=box, style=invis, fixedsize=true, label="", {inches}, '
        f'pos="{size.width / 2:.2f},{size.height / 2:.2f}"]; }}\n'
    )


def _operations(item: Item, height: float) -> Iterator[str]:
    if isinstance(item, Words):
        yield from _said(item, height)
    else:
        yield from _outlined(item, height)


def _said(words: Words, height: float) -> Iterator[str]:
    x, y = words.at
    # a backslash could end the string that holds all this; a quotation mark is escaped and counts as one byte
    text = words.text.replace("\\", "/")
    yield _string("c", words.colour)
    yield f"t {int(words.bold)} {_string(f'F {words.size:.2f}', 'Arial')}"
    yield f"T {x:.2f} {height - y:.2f} -1 0 {len(text.encode())} -{text.replace(chr(34), chr(92) + chr(34))}"


def _outlined(shape: Shape, height: float) -> Iterator[str]:
    if shape.fill is None and shape.stroke is None:
        return
    straight = all(one == start and two == end for start, (one, two, end) in _walk(shape))
    points: list[Point] = [shape.start]
    for one, two, end in shape.curves:
        points += [end] if straight else [one, two, end]
    spelled = f"{len(points)} " + " ".join(f"{x:.2f} {height - y:.2f}" for x, y in points)
    # a filled shape is drawn with its pen too, so a shape without a stroke is drawn in the colour of its filling
    yield _string("c", shape.stroke or shape.fill or "")
    yield _string("S", f"setlinewidth({shape.width if shape.stroke else 0.1:.2f})")
    yield _string("S", _DASHED if shape.dashes else "solid")
    if shape.fill is not None:
        yield _string("C", shape.fill)
        yield f"{'P' if straight else 'b'} {spelled}"
    else:
        yield f"{'L' if straight else 'B'} {spelled}"


def _walk(shape: Shape) -> Iterator[tuple[Point, tuple[Point, Point, Point]]]:
    at = shape.start
    for curve in shape.curves:
        yield at, curve
        at = curve[2]


def _string(operation: str, value: str) -> str:
    return f"{operation} {len(value.encode())} -{value}"
