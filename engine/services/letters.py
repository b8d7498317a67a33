"""The words of a send: one payload a bubble, rendered, short enough for the channel, with its template beside it."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from engine.core import limits
from engine.core.flow import Flow, ListMenu, Media, Part, Send, Template, TemplateButton, Text, Value
from engine.core.splitting import shortened, split_text, units
from engine.core.templating import render

Fill = Callable[[str], str]
"""Fills the gaps of a text."""


def letters(
    flow: Flow, spec: Send, values: Mapping[str, Value], language: str
) -> Iterator[tuple[int, int, Mapping[str, object]]]:
    """(number, of how many, payload) for each bubble. Buttons, menu and template go with the last."""
    fill: Fill = partial(render, flow, values=values)
    parts = spec.parts or (Part(text=spec.text, media=spec.media),)
    bubbles = [bubble for part in parts for bubble in _bubbles(part, fill, language)]
    if spec.buttons or spec.menu is not None:
        bubbles = [*bubbles[:-1], *_short_enough(bubbles[-1])]
    total = len(bubbles)
    for number, bubble in enumerate(bubbles, start=1):
        yield number, total, bubble | (_extras(spec, fill, language) if number == total else {})


def _bubbles(part: Part, fill: Fill, language: str) -> list[dict[str, object]]:
    words = _said(part.text, fill, language)
    if part.media is None:
        return [{"text": piece} for piece in split_text(words)] or [{"text": ""}]
    caption, rest = _caption(part.media, fill, language)
    file = {"kind": part.media.kind, "url": fill(part.media.url), "caption": caption}
    bubbles: list[dict[str, object]] = [{"media": file, "text": None}]
    return bubbles + [{"text": piece} for piece in (*rest, *split_text(words))]


def _caption(media: Media, fill: Fill, language: str) -> tuple[str | None, list[str]]:
    """The words under a file, and those that do not fit there; an audio has no place for any."""
    words = _said(media.caption, fill, language)
    if media.kind == "audio":
        return None, split_text(words)
    if units(words) <= limits.CAPTION:
        return words or None, []
    caption, *rest = split_text(words, limits.CAPTION)
    return caption, split_text("\n\n".join(rest))


def _short_enough(bubble: dict[str, object]) -> list[dict[str, object]]:
    """The last text in pieces, so that the one above the buttons is no longer than is allowed there."""
    return [{"text": piece} for piece in split_text(str(bubble["text"] or ""), limits.BODY)] or [bubble]


def _extras(spec: Send, fill: Fill, language: str) -> dict[str, object]:
    extras: dict[str, object] = {}
    if spec.buttons:
        extras["buttons"] = [
            {"id": b.id, "title": _short(b.title, limits.BUTTON_TITLE, fill, language)} for b in spec.buttons
        ]
    if spec.menu is not None:
        extras["menu"] = _menu(spec.menu, fill, language)
    if spec.template is not None:
        extras["template"] = _template(spec.template, fill)
    return extras


def _menu(menu: ListMenu, fill: Fill, language: str) -> dict[str, object]:
    rows = [
        {
            "id": row.id,
            "title": _short(row.title, limits.ROW_TITLE, fill, language),
            "description": _short(row.description, limits.ROW_DESCRIPTION, fill, language) or None,
        }
        for row in menu.rows
    ]
    return {"title": _short(menu.button, limits.BUTTON_TITLE, fill, language), "rows": rows}


def _template(template: Template, fill: Fill) -> dict[str, object]:
    made: dict[str, object] = {
        "name": template.name,
        "language": template.language,
        "params": [fill(param) for param in template.params],
    }
    if isinstance(template.header, Media):
        made["header"] = {"kind": template.header.kind, "url": fill(template.header.url)}
    elif template.header is not None:
        made["header"] = fill(template.header)
    if template.buttons:
        made["buttons"] = [_given(button, fill) for button in template.buttons]
    return made


def _given(button: TemplateButton, fill: Fill) -> dict[str, str]:
    given = {"payload": button.payload, "url": button.url}
    return {name: fill(text) for name, text in given.items() if text is not None}


def _said(text: Text | None, fill: Fill, language: str) -> str:
    return fill(text.within(language)) if text is not None else ""


def _short(text: Text | None, limit: int, fill: Fill, language: str) -> str:
    """A title with its values filled in, cut where they make it longer than is allowed."""
    return shortened(_said(text, fill, language).strip(), limit)
