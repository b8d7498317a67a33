"""What a panel's fields say of a message, as the document has it: titles of buttons, a list, a file, parts; more and fewer.

Ids of buttons and options stay, for they may name an event; words of other languages stay too. Raises Refused:
`text_missing`, `address_missing`, `choice_gone`, `buttons_full`, `rows_full`.
"""

from collections.abc import Mapping, Sequence

from engine.core import limits
from engine.core.document_sends import MEDIA
from engine.core.errors import Refused
from web.new_words import name_of_words, spoken

__all__ = ["added", "dropped", "filed", "listed", "of_kind", "parted", "titled", "worded"]

Row = Mapping[str, object]
"""One button, option, file or part of a document."""


def titled(before: object, values: Sequence[str]) -> object:
    """Buttons with these titles, in their order."""
    buttons, titles = _rows(before), [value.strip() for value in values]
    if len(titles) != len(buttons) or not all(titles):
        raise Refused("text_missing")
    return [{**one, "title": spoken(title, one.get("title"))} for one, title in zip(buttons, titles, strict=True)]


def listed(before: object, values: Sequence[str]) -> object:
    """A list with these words: what opens it, then title and line under it of each option."""
    menu = before if isinstance(before, Mapping) else {}
    rows, words = _rows(menu.get("rows")), [value.strip() for value in values]
    if len(words) != 1 + 2 * len(rows) or not words[0] or not all(words[1::2]):
        raise Refused("text_missing")
    made = []
    for one, title, about in zip(rows, words[1::2], words[2::2], strict=True):
        kept = {key: value for key, value in one.items() if key not in ("title", "description")}
        line = spoken(about, one.get("description"))
        made.append({**kept, "title": spoken(title, one.get("title")), **({"description": line} if line else {})})
    return {**menu, "button": spoken(words[0], menu.get("button")), "rows": made}


def filed(before: object, values: Sequence[str]) -> object:
    """A file with this address and, where it takes one, this caption."""
    file = before if isinstance(before, Mapping) else {}
    address = values[0].strip() if values else ""
    if not address:
        raise Refused("address_missing")
    return {**_captioned(file, values[1] if len(values) > 1 else ""), of_kind(file): address}


def parted(before: object, values: Sequence[str]) -> object:
    """Parts with these words: one value for each part that has words."""
    parts, words = _rows(before), iter(values)
    made = []
    for part in parts:
        if not worded(part):
            made.append(part)
        elif (said := next(words, None)) is None:
            raise Refused("text_missing")
        elif "text" in part:
            if not said.strip():
                raise Refused("text_missing")
            made.append({**part, "text": spoken(said.strip(), part["text"])})
        else:
            made.append(_captioned(part, said))
    return made


def worded(part: Row) -> bool:
    """Whether a part has words of its own: a text, or a file with a place for a caption."""
    return "text" in part or of_kind(part) != "audio"


def of_kind(file: Row) -> str:
    """The key under which a file has its address."""
    return next((kind for kind in MEDIA if kind in file), "")


def dropped(before: object, ident: str) -> object:
    """Buttons or a list without one of them; None when it was the last."""
    menu = before if isinstance(before, Mapping) else None
    rows = _rows(menu.get("rows") if menu is not None else before)
    left = [row for row in rows if row.get("id") != ident]
    if len(left) == len(rows):
        raise Refused("choice_gone")
    return ({**menu, "rows": left} if menu is not None else left) if left else None


def added(field: str, before: object, title: str, opens: str = "") -> object:
    """Buttons with one more, or a list with one more option; `opens` is the word on a list that is new."""
    title, opens = title.strip(), opens.strip()
    menu = before if isinstance(before, Mapping) else {}
    rows = _rows(menu.get("rows") if field == "list" else before)
    if not title or (field == "list" and not rows and not opens):
        raise Refused("text_missing")
    if len(rows) >= (limits.ROWS if field == "list" else limits.BUTTONS):
        raise Refused("rows_full" if field == "list" else "buttons_full")
    more = [*rows, {"id": _free(name_of_words(title), {row.get("id") for row in rows}), "title": title}]
    return {"button": opens, **menu, "rows": more} if field == "list" else more


def _free(wanted: str, taken: set[object]) -> str:
    number, name = 1, wanted
    while name in taken:
        number += 1
        name = f"{wanted}_{number}"
    return name


def _captioned(file: Row, said: str) -> Row:
    kept = {key: value for key, value in file.items() if key != "caption"}
    caption = spoken(said.strip(), file.get("caption"))
    return {**kept, "caption": caption} if caption else kept


def _rows(value: object) -> list[Row]:
    return [row for row in value if isinstance(row, Mapping)] if isinstance(value, list | tuple) else []
