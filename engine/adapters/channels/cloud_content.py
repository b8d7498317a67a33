"""What a message says in the words of the Cloud API: the type and the part that is named after it."""

import re
from collections.abc import Mapping
from urllib.parse import unquote

from engine.adapters.channels.protocol import Outgoing, OutgoingMedia, OutgoingMenu, OutgoingTemplate
from engine.core.templating import parameter


def content(outgoing: Outgoing) -> Mapping[str, object] | None:
    """None when there is nothing to say, or a file lies nowhere."""
    if (template := outgoing.template) is not None:
        return {"type": "template", "template": _template(template)}
    if (media := outgoing.media) is not None:
        caption = media.caption or outgoing.text
        file = _file(media)
        if file is not None and caption and media.kind != "audio":
            file["caption"] = caption
        return None if file is None else {"type": media.kind, media.kind: file}
    if not outgoing.text:
        return None
    if outgoing.menu is not None:
        return {"type": "interactive", "interactive": _list(outgoing.menu, outgoing.text)}
    if outgoing.buttons:
        buttons = [{"type": "reply", "reply": {"id": b.id, "title": b.title}} for b in outgoing.buttons]
        interactive = {"type": "button", "body": {"text": outgoing.text}, "action": {"buttons": buttons}}
        return {"type": "interactive", "interactive": interactive}
    return {"type": "text", "text": {"body": outgoing.text, "preview_url": False}}


def _file(media: OutgoingMedia) -> dict[str, object] | None:
    """Where the file is: with the platform already, or at an address. A document is shown by the name that it has."""
    if media.url.isascii() and media.url.isdigit():
        return {"id": media.url}
    if not re.match(r"https?://[^/]", media.url):
        return None
    file: dict[str, object] = {"link": media.url}
    if media.kind == "document" and (name := _name(media.url)):
        file["filename"] = name
    return file


def _name(url: str) -> str:
    """The last part of an address's path."""
    path = url.partition("://")[2].partition("?")[0].partition("#")[0].partition("/")[2]
    return unquote(path.rpartition("/")[2])


def _list(menu: OutgoingMenu, text: str) -> Mapping[str, object]:
    rows = [
        {"id": row.id, "title": row.title} | ({"description": row.description} if row.description else {})
        for row in menu.rows
    ]
    return {"type": "list", "body": {"text": text}, "action": {"button": menu.title, "sections": [{"rows": rows}]}}


def _template(template: OutgoingTemplate) -> Mapping[str, object]:
    """Its name, and a component for each place where something is put in."""
    components: list[Mapping[str, object]] = []
    if isinstance(template.header, OutgoingMedia):
        kind, file = template.header.kind, _file(template.header) or {}
        components.append({"type": "header", "parameters": [{"type": kind, kind: file}]})
    elif template.header:
        components.append({"type": "header", "parameters": [_text(template.header)]})
    if template.params:
        components.append({"type": "body", "parameters": [_text(text) for text in template.params]})
    for index, button in enumerate(template.buttons):
        if button.payload is not None:
            given: Mapping[str, object] = {"type": "payload", "payload": button.payload}
            components.append(_button("quick_reply", index, given))
        elif button.url is not None:
            components.append(_button("url", index, _text(button.url)))
    made: dict[str, object] = {"name": template.name, "language": {"code": template.language}}
    return made | ({"components": components} if components else {})


def _button(kind: str, index: int, given: Mapping[str, object]) -> Mapping[str, object]:
    return {"type": "button", "sub_type": kind, "index": str(index), "parameters": [given]}


def _text(text: str) -> Mapping[str, object]:
    return {"type": "text", "text": parameter(text)}
