"""The pieces of a message as forms of a panel: each with its fields, the room that they take, and what it may do."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.core import limits
from engine.core.document_sends import MEDIA
from engine.core.edits_pieces import LISTS
from engine.core.edits_tree import entry_of, rows_of
from engine.core.flow import Send, Text
from web.desk_words import media
from web.fields import Typed
from web.flow_words import text_of
from web.i18n import gettext

__all__ = ["Input", "New", "Piece", "news", "pieces"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """One field of a piece. With `choices` it is chosen, else typed; `limit` in UTF-16 units, 0 where there is none."""

    label: str
    value: str
    limit: int = 0
    told: str = ""
    long: bool = False
    wide: bool = False
    choices: tuple[tuple[str, str], ...] = ()
    optional: bool = False
    """Whether it fills itself."""
    names: bool = False
    """Whether what is typed may be the name of an event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A piece that is there, known by `name` (`rows.2`), with `seen`, the document's words for it as JSON."""

    key: str
    name: str
    title: str
    seen: str
    inputs: tuple[Input, ...]
    problem: str | None
    up: bool = False
    down: bool = False
    goes: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class New:
    """A piece that can be added, with what was typed for it so far."""

    key: str
    name: str
    title: str
    inputs: tuple[Input, ...]
    problem: str | None


def pieces(send: Send, action: Mapping[str, object], typed: Typed | None) -> tuple[Piece, ...]:
    """The pieces of a message. `action` is its entry in the document."""
    lists = {"buttons": rows_of(action, "buttons"), "rows": rows_of(entry_of(action.get("list")), "rows")}
    lists["parts"] = rows_of(action, "parts")
    made: list[Piece] = []
    if send.media is not None and not send.parts:
        file = _file(send.media.kind, send.media.url, send.media.caption)
        made.append(
            _made(send, typed, "media", _words()["file"], action.get("media"), file, goes=send.text is not None)
        )
    for name, shapes in _listed(send):
        rows = lists[name]
        made += [
            _made(
                send, typed, f"{name}.{at}", f"{title} {at + 1}", row, inputs,
                up=at > 0, down=at + 1 < len(rows), goes=name != "parts" or len(rows) > 1,
            )
            for at, (row, (title, inputs)) in enumerate(zip(rows, shapes, strict=True))
        ]  # fmt: skip
    if send.menu is not None:
        opener = (_opener(text_of(send.menu.button)),)
        seen = entry_of(action.get("list")).get("button")
        made.insert(len(made) - len(send.menu.rows), _made(send, typed, "opener", "", seen, opener, goes=False))
    if send.template is not None and send.template.header is not None:
        head = send.template.header
        inputs = (
            (Input(label=gettext("Text"), value=head, wide=True),)
            if isinstance(head, str)
            else _file(head.kind, head.url)[:2]
        )
        seen = entry_of(action.get("template")).get("header")
        made.append(_made(send, typed, "header", gettext("Head of the template"), seen, inputs))
    return tuple(made)


def news(send: Send, typed: Typed | None) -> tuple[New, ...]:
    """What can be added: as many buttons and options as WhatsApp shows, and parts."""
    ends_in_text = (send.parts[-1].text if send.parts else send.text) is not None
    offered: list[tuple[str, str, tuple[Input, ...]]] = []
    if ends_in_text and send.menu is None and len(send.buttons) < LISTS["buttons"]:
        offered.append(("buttons", gettext("Button"), _button("", "", new=True)))
    if ends_in_text and not send.buttons and len(send.menu.rows if send.menu else ()) < LISTS["rows"]:
        opener = () if send.menu else (_opener(""),)
        offered.append(("rows", gettext("Option of a list"), (*_row("", "", "", new=True), *opener)))
    offered.append(("parts-text", gettext("Text"), (_text(""),)))
    offered.append(("parts-file", gettext("Picture or file"), _file("image", "", None)))
    return tuple(_new(send, typed, *one) for one in offered)


def _new(send: Send, typed: Typed | None, name: str, title: str, inputs: tuple[Input, ...]) -> New:
    key = f"new-{name}-{send.id}"
    kept, problem = _kept(inputs, typed, key)
    return New(key=key, name=name.partition("-")[0], title=title, inputs=kept, problem=problem)


def _made(
    send: Send,
    typed: Typed | None,
    name: str,
    title: str,
    seen: object,
    inputs: tuple[Input, ...],
    *,
    up: bool = False,
    down: bool = False,
    goes: bool = True,
) -> Piece:
    key = f"{name.replace('.', '-')}-{send.id}"
    kept, problem = _kept(inputs, typed, key)
    said = json.dumps(seen, ensure_ascii=False)
    return Piece(key=key, name=name, title=title, seen=said, inputs=kept, problem=problem, up=up, down=down, goes=goes)


def _kept(inputs: tuple[Input, ...], typed: Typed | None, key: str) -> tuple[tuple[Input, ...], str | None]:
    """The fields with what was typed into them, where it has to be corrected."""
    if typed is None or typed.key != key:
        return inputs, None
    values = (*typed.values, *("" for _ in inputs))
    return tuple(replace(one, value=value) for one, value in zip(inputs, values, strict=False)), typed.problem


def _listed(send: Send) -> Iterator[tuple[str, Sequence[tuple[str, tuple[Input, ...]]]]]:
    """Each list with the title and the fields of its pieces."""
    words = _words()
    yield (
        "parts",
        [
            (words["text"], (_text(text_of(part.text), body=at + 1 == len(send.parts) and _chooses(send)),))
            if part.media is None
            else (words["file"], _file(part.media.kind, part.media.url, part.media.caption))
            for at, part in enumerate(send.parts)
        ],
    )
    yield "buttons", [(words["button"], _button(text_of(one.title), one.id)) for one in send.buttons]
    rows = send.menu.rows if send.menu is not None else ()
    yield "rows", [(words["row"], _row(text_of(one.title), text_of(one.description), one.id)) for one in rows]


def _chooses(send: Send) -> bool:
    return bool(send.buttons) or send.menu is not None


def _words() -> dict[str, str]:
    return {
        "text": gettext("Text"), "file": gettext("File"), "button": gettext("Button"), "row": gettext("Option"),
    }  # fmt: skip


def _opener(value: str) -> Input:
    label, cut = gettext("What opens the list"), gettext("over the limit, the end is cut")
    return Input(label=label, value=value, limit=limits.BUTTON_TITLE, told=cut, wide=True)


def _text(value: str, *, body: bool = False) -> Input:
    told = gettext("over the limit, leaves in several messages")
    return Input(
        label=gettext("Text"), value=value, limit=limits.BODY if body else limits.TEXT, told=told, long=True, wide=True
    )


def _ident(value: str, limit: int, *, new: bool) -> Input:
    label = gettext("What a tap sends back")
    return Input(label=label, value=value, limit=limit, told=gettext("too long"), optional=new, names=True)


def _button(title: str, ident: str, *, new: bool = False) -> tuple[Input, ...]:
    cut = gettext("over the limit, the end is cut")
    shown = Input(label=gettext("Title"), value=title, limit=limits.BUTTON_TITLE, told=cut)
    return shown, _ident(ident, limits.BUTTON_ID, new=new)


def _row(title: str, about: str, ident: str, *, new: bool = False) -> tuple[Input, ...]:
    cut = gettext("over the limit, the end is cut")
    below = gettext("Line below")
    return (
        Input(label=gettext("Title"), value=title, limit=limits.ROW_TITLE, told=cut),
        _ident(ident, limits.ROW_ID, new=new),
        Input(label=below, value=about, limit=limits.ROW_DESCRIPTION, told=cut, wide=True),
    )


def _file(kind: str, address: str, caption: Text | None = None) -> tuple[Input, ...]:
    kinds = tuple((one, media(one)) for one in MEDIA)
    told = gettext("over the limit, leaves in several messages")
    return (
        Input(label=gettext("Kind"), value=kind, choices=kinds),
        Input(label=gettext("Address"), value=address, wide=True),
        Input(
            label=gettext("Words under it"),
            value=text_of(caption),
            limit=limits.CAPTION,
            told=told,
            long=True,
            wide=True,
        ),
    )
