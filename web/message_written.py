"""Everything that a message says beside its text, as fields of the panel: buttons, a list, a file, parts."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from engine.core import limits
from engine.core.flow import Media, Send
from web.desk_words import media
from web.fields import Field, Fields
from web.flow_words import text_of
from web.i18n import gettext

__all__ = ["Words", "Written", "written"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """One input: what it is called, what it holds, the room that it has (0: not counted) and what is told beyond it.

    `drop` is the id of the button or option that `taking` takes away, "" where nothing can be.
    """

    label: str
    value: str
    limit: int = 0
    over: str = ""
    long: bool = False
    drop: str = ""
    taking: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A field of several inputs that is saved at once."""

    title: str
    field: Field
    words: tuple[Words, ...]


def written(fields: Fields, send: Send) -> Iterator[Written]:
    """The fields, in the order in which the customer sees them."""
    if send.media is not None:
        yield _made(fields, send, "media", gettext("File"), _file(send.media))
    if send.parts:
        yield _made(fields, send, "parts", gettext("Parts"), _parts(send))
    if send.buttons:
        yield _made(fields, send, "buttons", gettext("Buttons"), _buttons(send))
    if send.menu is not None:
        yield _made(fields, send, "list", gettext("List"), _list(send))


def _made(fields: Fields, send: Send, name: str, title: str, words: tuple[Words, ...]) -> Written:
    """The inputs with what was typed into them, where that could not be taken."""
    fields.add(name, tuple(one.value for one in words), key=f"{name}-{send.id}", keep_empty=True)
    field = fields.made[name]
    typed = field.value if isinstance(field.value, tuple) and len(field.value) == len(words) else None
    shown = (
        words if typed is None else tuple(replace(one, value=value) for one, value in zip(words, typed, strict=True))
    )
    return Written(title=title, field=field, words=shown)


def _buttons(send: Send) -> tuple[Words, ...]:
    cut = gettext("over the limit, the end is cut")
    return tuple(
        Words(
            label=f"{gettext('Button')} {number + 1}",
            value=text_of(button.title),
            limit=limits.BUTTON_TITLE,
            over=cut,
            drop=button.id,
            taking=gettext("Take button %(n)s away") % {"n": number + 1},
        )
        for number, button in enumerate(send.buttons)
    )


def _list(send: Send) -> tuple[Words, ...]:
    cut, menu = gettext("over the limit, the end is cut"), send.menu
    if menu is None:
        return ()
    made = [
        Words(label=gettext("What opens the list"), value=text_of(menu.button), limit=limits.BUTTON_TITLE, over=cut)
    ]
    for number, row in enumerate(menu.rows):
        said = {"n": number + 1}
        made += [
            Words(
                label=gettext("Option %(n)s") % said,
                value=text_of(row.title),
                limit=limits.ROW_TITLE,
                over=cut,
                drop=row.id,
                taking=gettext("Take option %(n)s away") % said,
            ),
            Words(
                label=gettext("Line under option %(n)s") % said,
                value=text_of(row.description),
                limit=limits.ROW_DESCRIPTION,
                over=cut,
            ),
        ]
    return tuple(made)


def _file(file: Media) -> tuple[Words, ...]:
    address = Words(label=gettext("Address of the file"), value=file.url)
    return (address,) if file.kind == "audio" else (address, _caption(file, gettext("Words under the file")))


def _parts(send: Send) -> tuple[Words, ...]:
    made = []
    for number, part in enumerate(send.parts, start=1):
        if part.media is None:
            label = gettext("Part %(n)s, text") % {"n": number}
            over = gettext("over the limit, leaves in several messages")
            made.append(Words(label=label, value=text_of(part.text), limit=limits.TEXT, over=over, long=True))
        elif part.media.kind != "audio":
            label = gettext("Part %(n)s, words under: %(kind)s") % {"n": number, "kind": media(part.media.kind)}
            made.append(_caption(part.media, label))
    return tuple(made)


def _caption(file: Media, label: str) -> Words:
    over = gettext("over the limit")
    return Words(label=label, value=text_of(file.caption), limit=limits.CAPTION, over=over, long=True)
