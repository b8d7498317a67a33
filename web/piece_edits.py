"""From the forms of a message's pieces to edits of the draft: a button, an option of a list, a part, a file.

A form names its piece by `field`: `rows.2` is the third option, `media` what there is one of, `parts` a new one. Raises
Refused: text_missing, choice_missing, piece_changed.
"""

from collections.abc import Mapping, Sequence

from engine.core.document_sends import MEDIA
from engine.core.edits_pieces import LISTS, SINGLES
from engine.core.errors import Refused
from web.draft_edits import Edit, seen_value
from web.forms import whole
from web.i18n import gettext
from web.new_words import name_of_words, spoken

__all__ = ["deed", "is_piece", "piece_edit"]


def is_piece(field: str) -> bool:
    """Whether a field of a form is a piece, not a field of the action itself."""
    return field.partition(".")[0] in (*LISTS, *SINGLES)


def piece_edit(name: str, field: str, values: Sequence[str], seen: object) -> Edit:
    """The edit that puts what was typed in the place of what its author saw."""
    kind, number = _named(field)
    value = _value(kind, values, seen)
    return {"op": "set_piece", "id": name, "piece": kind, "number": number, "was": seen, "value": value}


def deed(name: str, form: Mapping[str, str], values: Sequence[str], taken: Sequence[str]) -> Edit:
    """What a button beside a piece asks for: `do` is add, delete, up or down. `taken` are the ids that there are."""
    kind, number = _named(form.get("field", ""))
    edit: dict[str, object] = {"id": name, "piece": kind}
    if form.get("do") == "add":
        new = _value(kind, values, None, taken)
        opener = {"opener": values[3].strip()} if kind == "rows" and len(values) > 3 else {}
        return {"op": "add_piece", **edit, "value": new, **opener}
    edit |= {"number": number, "was": seen_value(form.get("seen"))}
    if form.get("do") == "delete":
        return {"op": "delete_piece", **edit}
    return {"op": "move_piece", **edit, "by": -1 if form.get("do") == "up" else 1}


def _named(field: str) -> tuple[str, int | None]:
    kind, _, number = field.partition(".")
    return kind, whole(number)


def _value(kind: str, values: Sequence[str], seen: object, taken: Sequence[str] = ()) -> object:
    before = seen if isinstance(seen, Mapping) else {}
    typed = [value.strip() for value in (*values, "", "", "")]
    match kind, len(values):
        case "buttons", _:
            return {**before, **_choice(typed[0], typed[1], before, taken)}
        case "rows", _:
            about = spoken(typed[2], before.get("description"))
            kept = {key: value for key, value in before.items() if key != "description"}
            described = {"description": about} if about is not None else {}
            return {**kept, **_choice(typed[0], typed[1], before, taken), **described}
        case "opener", _:
            return spoken(_filled(typed[0]), seen)
        case "parts", 1:
            return {"text": spoken(_filled(typed[0]), before.get("text"))}
        case "header", 1:
            return typed[0] or None
        case _:
            return _file(typed[0], typed[1], typed[2], before)


def _filled(text: str) -> str:
    if not text:
        raise Refused("text_missing")
    return text


def _choice(title: str, ident: str, before: Mapping[str, object], taken: Sequence[str]) -> dict[str, object]:
    """A button or an option. Without an id it gets one of its title's words, which no other has."""
    made = ident or _free(name_of_words(_filled(title)), taken)
    return {"id": made, "title": spoken(_filled(title), before.get("title"))}


def _free(wanted: str, taken: Sequence[str]) -> str:
    name, number = wanted, 2
    while name in taken:
        name, number = f"{wanted}_{number}", number + 1
    return name


def _file(kind: str, address: str, caption: str, before: Mapping[str, object]) -> dict[str, object]:
    if kind not in MEDIA:
        raise Refused("choice_missing", what=gettext("what kind of file it is"))
    if not address:
        raise Refused("address_missing")
    words = spoken(caption, before.get("caption"))
    return {kind: address, **({"caption": words} if words is not None else {})}
