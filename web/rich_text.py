"""A text as WhatsApp shows it, as HTML of a page: made of escaped words and a handful of elements."""

from markupsafe import Markup, escape

from engine.core.whatsapp_text import Line, Run, lines

__all__ = ["rich"]

_ELEMENTS = {
    "struck": Markup("<s>{}</s>"),
    "italic": Markup("<i>{}</i>"),
    "bold": Markup("<b>{}</b>"),
    "mono": Markup("<code>{}</code>"),
}


def rich(text: str) -> Markup:
    """Each line a block; links look like links and lead nowhere: an example's address is nobody's."""
    return Markup("").join(map(_line, lines(text)))


def _line(line: Line) -> Markup:
    inside = Markup("").join(map(_run, line.runs)) or Markup("&nbsp;")
    return Markup('<span class="wa {}">{}</span>').format(line.kind, inside)


def _run(run: Run) -> Markup:
    words = escape(run.text)
    if "link" in run.marks:
        words = Markup('<span class="wa-link">{}</span>').format(words)
    for mark, element in _ELEMENTS.items():
        if mark in run.marks:
            words = element.format(words)
    return words
