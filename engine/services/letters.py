"""The words of a send: one payload a bubble, rendered, short enough for the channel, with its template beside it."""

from collections.abc import Iterator, Mapping

from engine.core.flow import Flow, Media, Part, Send, Value
from engine.core.splitting import split_text
from engine.core.templating import render


def letters(
    flow: Flow, spec: Send, values: Mapping[str, Value], language: str
) -> Iterator[tuple[int, int, Mapping[str, object]]]:
    """(number, of how many, payload) for each bubble. Buttons, menu and template go with the last."""
    bubbles = [bubble for part in _parts(spec) for bubble in _bubbles(flow, part, values, language)]
    total = len(bubbles)
    for number, bubble in enumerate(bubbles, start=1):
        yield number, total, bubble | (_extras(flow, spec, values, language) if number == total else {})


def _parts(spec: Send) -> tuple[Part, ...]:
    return spec.parts or (Part(text=spec.text, media=spec.media),)


def _bubbles(flow: Flow, part: Part, values: Mapping[str, Value], language: str) -> list[dict[str, object]]:
    words = render(flow, part.text.within(language), values) if part.text else None
    if part.media is not None:
        file: dict[str, object] = {"media": _media(flow, part.media, values, language), "text": None}
        pieces: list[dict[str, object]] = [{"text": piece} for piece in split_text(words or "")]
        return [file, *pieces]
    return [{"text": piece} for piece in split_text(words or "")] or [{"text": ""}]


def _media(flow: Flow, media: Media, values: Mapping[str, Value], language: str) -> dict[str, object]:
    caption = render(flow, media.caption.within(language), values) if media.caption else None
    return {"kind": media.kind, "url": media.url, "caption": caption}


def _extras(flow: Flow, spec: Send, values: Mapping[str, Value], language: str) -> dict[str, object]:
    extras: dict[str, object] = {}
    if spec.buttons:
        extras["buttons"] = [{"id": b.id, "title": b.title.within(language)} for b in spec.buttons]
    if spec.menu is not None:
        extras["menu"] = {
            "title": spec.menu.button.within(language),
            "rows": [
                {
                    "id": r.id,
                    "title": r.title.within(language),
                    "description": r.description.within(language) if r.description else None,
                }
                for r in spec.menu.rows
            ],
        }
    if spec.template is not None:
        extras["template"] = {
            "name": spec.template.name,
            "language": spec.template.language,
            "params": [render(flow, p, values) for p in spec.template.params],
        }
    return extras
