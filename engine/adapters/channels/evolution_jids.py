"""WhatsApp's own addresses (jids) as Evolution passes them on: which are people, and who they are."""

from collections.abc import Mapping

from engine.adapters.reading import digits, word
from engine.core.inbound import Person

_OF_SENDER = ("senderPn", "senderLid", "participantAlt", "participantPn")
_PEOPLE = frozenset({"s.whatsapp.net", "c.us", "lid"})


def _server(jid: str) -> str:
    return jid.rpartition("@")[2]


def is_person(jid: str) -> bool:
    """Only the kinds of address that are known to be people are; everything else is never answered."""
    return "@" in jid and _server(jid) in _PEOPLE


def reason_to_ignore(jid: str) -> str:
    """Why a chat that is no person is not for us."""
    return {"g.us": "group", "broadcast": "broadcast", "newsletter": "broadcast"}.get(_server(jid), "not_a_person")


def person_of(key: Mapping[str, object], *, sender_fields: bool = False) -> Person | None:
    """The other side of a chat, from whichever fields this version of the gateway fills; None when there is none.

    `sender_fields`: whether the sender's own fields may be read; in a message of our own they name ourselves.
    """
    fields = ("remoteJid", "remoteJidAlt", *(_OF_SENDER if sender_fields else ()))
    jids = [jid for field in fields if (jid := word(key.get(field))) is not None and is_person(jid)]
    phone = next((found for jid in jids if (found := phone_of(jid))), None)
    lid = next((f"{_user(jid)}@lid" for jid in jids if _server(jid) == "lid" and _user(jid)), None)
    return Person(phone=phone, lid=lid) if phone or lid else None


def phone_of(jid: object) -> str | None:
    """The digits of a jid that is a telephone number."""
    text = word(jid)
    return digits(_user(text)) if text is not None and is_person(text) and _server(text) != "lid" else None


def _user(jid: str) -> str:
    """The part before the @, without the number of the device that some events add."""
    return jid.rpartition("@")[0].partition(":")[0]
