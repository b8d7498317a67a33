"""From a stored letter to what a channel sends: the person as the channel knows them, and the words."""

from collections.abc import Mapping
from typing import Any

from engine.adapters.channels.protocol import (
    Outgoing,
    OutgoingButton,
    OutgoingMedia,
    OutgoingMenu,
    OutgoingRow,
    OutgoingTemplate,
    OutgoingTemplateButton,
    Recipient,
)
from engine.store import contacts
from engine.store.connection import Tx
from engine.store.outbox import Row


def outgoing(tx: Tx, row: Row) -> Outgoing:
    """The message of a claimed row; as a template when the row says so (R28)."""
    payload: Mapping[str, Any] = row.payload
    to = _recipient(tx, row.contact_id)
    if row.as_template:
        return Outgoing(outbox_id=row.id, to=to, template=_template(payload["template"]))
    menu, media = payload.get("menu"), payload.get("media")
    return Outgoing(
        outbox_id=row.id,
        to=to,
        text=payload.get("text"),
        buttons=tuple(OutgoingButton(b["id"], b["title"]) for b in payload.get("buttons", ())),
        menu=OutgoingMenu(menu["title"], tuple(OutgoingRow(**entry) for entry in menu["rows"])) if menu else None,
        media=_media(media) if media else None,
    )


def _media(media: Mapping[str, Any]) -> OutgoingMedia:
    """A file of the flow lies at an address; one that a person sends lies here, and is opened when it leaves."""
    return OutgoingMedia(media["kind"], media.get("url", ""), media["caption"], media.get("file"))


def _template(template: Mapping[str, Any]) -> OutgoingTemplate:
    header = template.get("header")
    return OutgoingTemplate(
        template["name"],
        template["language"],
        tuple(template["params"]),
        OutgoingMedia(header["kind"], header["url"]) if isinstance(header, Mapping) else header,
        tuple(OutgoingTemplateButton(b.get("payload"), b.get("url")) for b in template.get("buttons", ())),
    )


def _recipient(tx: Tx, contact_id: int) -> Recipient:
    person = contacts.row(tx, contact_id)
    named = {str(i["kind"]): str(i["seen_as"]) for i in contacts.identities(tx, contact_id)}
    phone = person["phone"]
    return Recipient(phone=phone if isinstance(phone, str) else None, lid=named.get("lid"), bsuid=named.get("bsuid"))
