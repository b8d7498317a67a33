"""The `send` action of a document: its words, buttons, list, media, parts and template."""

from collections.abc import Callable
from typing import TypeVar

from engine.core.document_reader import Place
from engine.core.flow import Button, ListMenu, ListRow, Media, Part, Send, Template, TemplateButton, Text

_KEYS = (
    "kind",
    "text",
    "template",
    "buttons",
    "list",
    "media",
    "parts",
    "once_per",
    "repeat_ok",
    "label",
)
MEDIA = ("image", "audio", "video", "document")

Read = TypeVar("Read")


def read_send(name: str, place: Place) -> Send | None:
    """A message to the lead; it has to say something in at least one way."""
    keys = place.table(_KEYS)
    made = Send(
        id=name,
        text=_if(keys, "text", Place.text),
        template=_if(keys, "template", _template),
        buttons=_if(keys, "buttons", _buttons) or (),
        menu=_if(keys, "list", _menu),
        media=_if(keys, "media", _media),
        parts=_if(keys, "parts", _parts) or (),
        once_per=_if(keys, "once_per", Place.string),
        repeat_ok=_if(keys, "repeat_ok", Place.flag) or False,
        label=_if(keys, "label", Place.text),
    )
    if not any(key in keys for key in ("text", "template", "media", "parts")):
        place.wrong("says_nothing")
    if made.buttons and made.menu is not None:
        place.wrong("buttons_or_list")
    if (made.buttons or made.menu is not None) and not _ends_in_text(made):
        place.wrong("choices_need_text")
    return made


def _ends_in_text(made: Send) -> bool:
    """Whether there is a text for buttons or a list to stand under."""
    return (made.parts[-1].text if made.parts else made.text) is not None


def _if(keys: dict[str, Place], key: str, read: Callable[[Place], Read]) -> Read | None:
    return read(keys[key]) if key in keys else None


def _template(place: Place) -> Template | None:
    keys = place.table(("name", "language", "params", "header", "buttons"), ("name", "language"))
    name = _if(keys, "name", Place.string)
    language = _if(keys, "language", Place.string)
    params = _if(keys, "params", Place.strings) or ()
    header = _if(keys, "header", _header)
    buttons = _if(keys, "buttons", _template_buttons) or ()
    return Template(name, language, params, header, buttons) if name and language else None


def _header(place: Place) -> str | Media | None:
    """A text, or `{image: address}`."""
    return place.string() if isinstance(place.value, str) else _media(place, with_caption=False)


def _template_buttons(place: Place) -> tuple[TemplateButton, ...]:
    """One entry a button, `{}` for one that is given nothing."""
    buttons = []
    for entry in place.items(filled=True, limit=10):
        keys = entry.table(("payload", "url"))
        if len(keys) > 1:
            entry.wrong("payload_or_url")
        buttons.append(TemplateButton(_if(keys, "payload", Place.string), _if(keys, "url", Place.string)))
    return tuple(buttons)


def _buttons(place: Place) -> tuple[Button, ...]:
    buttons = []
    for entry in place.items(filled=True, limit=50):
        keys = entry.table(("id", "title"), ("id", "title"))
        ident, title = _if(keys, "id", Place.string), _if(keys, "title", Place.text)
        if ident and title:
            buttons.append(Button(ident, title))
    _unique(place, [button.id for button in buttons])
    return tuple(buttons)


def _menu(place: Place) -> ListMenu | None:
    keys = place.table(("button", "rows"), ("button", "rows"))
    button = _if(keys, "button", Place.text)
    rows: list[ListRow] = []
    for entry in keys["rows"].items(filled=True, limit=100) if "rows" in keys else ():
        row = entry.table(("id", "title", "description"), ("id", "title"))
        ident, title = _if(row, "id", Place.string), _if(row, "title", Place.text)
        description = _if(row, "description", Place.text)
        if ident and title:
            rows.append(ListRow(ident, title, description))
    if "rows" in keys:
        _unique(keys["rows"], [row.id for row in rows])
    return ListMenu(button, tuple(rows)) if button else None


def _unique(place: Place, names: list[str]) -> None:
    for repeated in sorted({name for name in names if names.count(name) > 1}):
        place.wrong("duplicate", value=repeated[:64])


def _media(place: Place, *, with_caption: bool = True) -> Media | None:
    """`{image: address, caption: words}`; the key says the kind."""
    keys = place.table((*MEDIA, "caption") if with_caption else MEDIA)
    kinds = [kind for kind in MEDIA if kind in keys]
    caption = _if(keys, "caption", Place.text)
    if len(kinds) != 1:
        place.wrong("part_shape")
        return None
    return _file(keys[kinds[0]], kinds[0], caption)


def _file(place: Place, kind: str, caption: Text | None) -> Media | None:
    address = place.string()
    if address is None:
        return None
    if not address.startswith(("https://", "http://", "{{")) and not (address.isascii() and address.isdigit()):
        place.wrong("not_an_address", value=address[:64])
        return None
    return Media(kind, address, caption)


def _parts(place: Place) -> tuple[Part, ...]:
    parts = []
    for entry in place.items(filled=True, limit=50):
        keys = entry.table(("text", *MEDIA, "caption"))
        kinds = [kind for kind in ("text", *MEDIA) if kind in keys]
        if len(kinds) != 1 or (kinds == ["text"] and "caption" in keys):
            entry.wrong("part_shape")
        elif kinds == ["text"]:
            if (words := keys["text"].text()) is not None:
                parts.append(Part(text=words))
        elif (medium := _file(keys[kinds[0]], kinds[0], _if(keys, "caption", Place.text))) is not None:
            parts.append(Part(media=medium))
    return tuple(parts)
