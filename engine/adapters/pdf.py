"""A display list as a PDF of one page: vector shapes and selectable words, written by hand.

No library that installs without a system package draws our SVG: cairosvg needs libcairo, fpdf2 stops at characters
outside its fonts. The page needs little: outlines, and text in the fonts that every reader has (Helvetica and Symbol).
A character that neither has is written as "?".
"""

import zlib
from collections.abc import Iterator

from engine.adapters.display import Item, Shape, Words
from engine.adapters.svg import Frame
from engine.core.diagram.metrics import width

_SYMBOLS = {"→": 0xAE, "←": 0xAC, "≥": 0xB3, "≤": 0xA3, "≠": 0xB9, "−": 0x2D}
_FONTS = {"R": "Helvetica", "B": "Helvetica-Bold", "S": "Symbol"}


def pdf(size: Frame, items: list[Item], title: str = "") -> bytes:
    """The file. `title` is what readers show as the window's name."""
    page = zlib.compress("\n".join(line for item in items for line in _lines(item, size.height)).encode("latin-1"))
    fonts = " ".join(f"/{name} {number} 0 R" for number, name in enumerate(_FONTS, start=6))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {size.width:.2f} {size.height:.2f}] /Contents 4 0 R "
        f"/Resources << /Font << {fonts} >> >> >>".encode(),
        b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(page), page),
        b"<< /Title <" + ("\ufeff" + title).encode("utf-16-be", "replace").hex().encode() + b"> >>",
        *(_font(name, base) for name, base in _FONTS.items()),
    ]
    body, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    count = len(objects) + 1
    return (
        body + b"xref\n0 %d\n0000000000 65535 f \n%s" % (count, table)
        + b"trailer\n<< /Size %d /Root 1 0 R /Info 5 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (count, len(body))
    )  # fmt: skip


def _font(name: str, base: str) -> bytes:
    encoding = "" if name == "S" else " /Encoding /WinAnsiEncoding"
    return f"<< /Type /Font /Subtype /Type1 /BaseFont /{base}{encoding} >>".encode()


def _lines(item: Item, height: float) -> Iterator[str]:
    if isinstance(item, Words):
        yield from _said(item, height)
    else:
        yield from _outlined(item, height)


def _outlined(shape: Shape, height: float) -> Iterator[str]:
    if shape.fill is None and shape.stroke is None:
        return
    if shape.fill is not None:
        yield f"{_rgb(shape.fill)} rg"
    if shape.stroke is not None:
        dashes = " ".join(f"{dash:.2f}" for dash in shape.dashes)
        yield f"{_rgb(shape.stroke)} RG {shape.width:.2f} w 1 J 1 j [{dashes}] 0 d"
    yield f"{shape.start[0]:.2f} {height - shape.start[1]:.2f} m"
    for curve in shape.curves:
        yield " ".join(f"{x:.2f} {height - y:.2f}" for x, y in curve) + " c"
    yield {(True, True): "b", (True, False): "f", (False, True): "S"}[shape.fill is not None, shape.stroke is not None]


def _said(words: Words, height: float) -> Iterator[str]:
    """Runs of one font each, every run put where our own table of widths says that it begins."""
    x, y = words.at
    yield f"{_rgb(words.colour)} rg"
    run, font = "", ""
    for character in words.text:
        own = "S" if character in _SYMBOLS else "B" if words.bold else "R"
        if run and own != font:
            yield _run(run, font, words.size, x, height - y)
            x += width(run, words.size, bold=words.bold)
            run = ""
        run, font = run + character, own
    if run:
        yield _run(run, font, words.size, x, height - y)


def _run(text: str, font: str, size: float, x: float, y: float) -> str:
    codes = bytes(_SYMBOLS[c] for c in text) if font == "S" else text.encode("cp1252", "replace")
    return f"BT /{font} {size:.2f} Tf {x:.2f} {y:.2f} Td <{codes.hex()}> Tj ET"


def _rgb(colour: str) -> str:
    return " ".join(f"{int(colour[at : at + 2], 16) / 255:.3f}" for at in (1, 3, 5))
