"""A message in a panel: how it looks to the customer, and the fields that change it with the room that they take."""

from dataclasses import dataclass

from engine.core import limits
from engine.core.flow import Send
from web.desk import Desk
from web.fields import Field, Fields, Typed, entry
from web.flow_words import labelled, text_of
from web.message_pieces import New, Piece, news, pieces
from web.message_preview import Preview, preview

__all__ = ["Message", "message"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message: its picture, its text as a field and its pieces, how many arrows use it. Without `field` it has no text
    beside its parts. `limit` is of the text, `news` what can be added, `problem` why a piece was not moved or taken away.
    """

    name: str
    label: str
    place: str
    preview: Preview
    field: Field | None
    pieces: tuple[Piece, ...]
    news: tuple[New, ...]
    problem: str
    shared: int
    limit: int


def message(desk: Desk, send: Send, typed: Typed | None) -> Message:
    """A message of the draft that is shown."""
    place = f"{desk.base}/actions/{send.id}"
    action = entry(desk.tree, "actions", send.id)
    fields = Fields(place, action, typed)
    if not send.parts:
        fields.add("text", text_of(send.text), key=f"text-{send.id}")
    return Message(
        name=send.id,
        label=labelled(send.label, send.id),
        place=place,
        preview=preview(desk.flow, send, desk.templates),
        field=fields.made.get("text"),
        pieces=pieces(send, action, typed),
        news=news(send, typed),
        problem=typed.problem if typed is not None and typed.key == f"pieces-{send.id}" else "",
        shared=sum(send.id in arrow.do for arrow in desk.flow.arrows.values()),
        limit=limits.BODY if send.buttons or send.menu is not None else limits.TEXT,
    )
