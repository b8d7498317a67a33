"""A message in a panel: how it looks to the customer, and the fields that change it with the room that they take."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.core import limits
from engine.core.flow import Send
from web.desk import Desk
from web.fields import Field, Fields, Typed, entry
from web.flow_words import labelled, text_of
from web.message_preview import Preview, preview
from web.message_written import Written, written

__all__ = ["Message", "message"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message: its picture, its text as a field, everything else that it says, how many arrows use it.

    `field` is None where it has parts instead of a text. `limit` is of the text. `adds` are the kinds of choices that
    can be added: "buttons", or "list", which is a new one while `opens` is empty. `adding` is one that was not taken.
    """

    name: str
    label: str
    place: str
    preview: Preview
    field: Field | None
    written: tuple[Written, ...]
    shared: int
    limit: int
    adds: tuple[str, ...]
    opens: str
    adding: Mapping[str, str]


def message(desk: Desk, send: Send, typed: Typed | None, form: Mapping[str, str] | None = None) -> Message:
    """A message of the draft that is shown; `form` is a choice that could not be added."""
    place = f"{desk.base}/actions/{send.id}"
    fields = Fields(place, entry(desk.tree, "actions", send.id), typed)
    if send.text is not None or not (send.parts or send.media):
        fields.add("text", text_of(send.text), key=f"text-{send.id}")
    refused = typed is not None and typed.key == f"choice-{send.id}"
    return Message(
        name=send.id,
        label=labelled(send.label, send.id),
        place=place,
        preview=preview(desk.flow, send, desk.templates),
        field=fields.made.get("text"),
        written=tuple(written(fields, send)),
        shared=sum(send.id in arrow.do for arrow in desk.flow.arrows.values()),
        limit=limits.BODY if send.buttons or send.menu is not None else limits.TEXT,
        adds=_adds(send),
        opens=text_of(send.menu.button) if send.menu is not None else "",
        adding={**(form or {}), "problem": typed.problem} if refused and typed is not None else {},
    )


def _adds(send: Send) -> tuple[str, ...]:
    if (send.parts[-1].text if send.parts else send.text) is None:
        return ()
    if send.menu is not None:
        return ("list",) if len(send.menu.rows) < limits.ROWS else ()
    if send.buttons:
        return ("buttons",) if len(send.buttons) < limits.BUTTONS else ()
    return ("buttons", "list")
