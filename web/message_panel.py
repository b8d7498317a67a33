"""A message in a panel: how it looks to the customer, and the fields that change it with the room that they take."""

from dataclasses import dataclass

from engine.core import limits
from engine.core.flow import Send
from web.desk import Desk
from web.fields import Field, Fields, Typed, entry
from web.flow_words import labelled, text_of
from web.message_preview import Preview, preview

__all__ = ["Message", "message"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message: its picture, its text and the titles of its buttons as fields, how many arrows use it. Without `field`
    it consists of parts, which are only shown. `limit` is of the text, `title_limit` of a title.
    """

    name: str
    label: str
    place: str
    preview: Preview
    field: Field | None
    buttons: Field | None
    shared: int
    limit: int
    title_limit: int


def message(desk: Desk, send: Send, typed: Typed | None) -> Message:
    """A message of the draft that is shown."""
    place = f"{desk.base}/actions/{send.id}"
    fields = Fields(place, entry(desk.tree, "actions", send.id), typed)
    if not send.parts:
        fields.add("text", text_of(send.text), key=f"text-{send.id}")
    if send.buttons:
        titles = tuple(text_of(button.title) for button in send.buttons)
        fields.add("buttons", titles, key=f"buttons-{send.id}", keep_empty=True)
    return Message(
        name=send.id,
        label=labelled(send.label, send.id),
        place=place,
        preview=preview(desk.flow, send, desk.templates),
        field=fields.made.get("text"),
        buttons=fields.made.get("buttons"),
        shared=sum(send.id in arrow.do for arrow in desk.flow.arrows.values()),
        limit=limits.BODY if send.buttons or send.menu is not None else limits.TEXT,
        title_limit=limits.BUTTON_TITLE,
    )
