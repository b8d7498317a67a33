"""What the Evolution gateway of a scenario remembers: the sends that it took, for whoever asks its store about them."""

from collections.abc import Mapping
from typing import Any

from engine.adapters.http import HttpRequest
from engine.core.flow import SECOND, Millis

__all__ = ["Gateway", "asks", "is_about_connection"]


def asks(request: HttpRequest) -> bool:
    """Whether a call is a question to the gateway's store, and no send."""
    return "/chat/findMessages/" in request.url


def is_about_connection(request: HttpRequest) -> bool:
    """Whether a call is a question about the number's own connection: in a scenario only its webhooks tell of it."""
    return "/instance/connectionState/" in request.url


class Gateway:
    """The store of one gateway."""

    def __init__(self) -> None:
        self._taken: list[Mapping[str, Any]] = []

    def take(self, request: HttpRequest, body: Mapping[str, Any], provider_id: str, now: Millis) -> None:
        """It took a send, whoever learns of it."""
        if "/message/" not in request.url:
            return
        number = str(body.get("number", ""))
        jid = number if "@" in number else f"{number}@s.whatsapp.net"
        self._taken.insert(
            0,
            {
                "key": {"id": provider_id, "remoteJid": jid, "fromMe": True},
                "message": _message(body),
                "messageTimestamp": now // SECOND,
            },
        )

    def found(self, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """Its answer to a question, the newest first."""
        wanted = body.get("where", {}).get("key", {}).get("id")
        records = [record for record in self._taken if wanted in (None, record["key"]["id"])]
        return {"messages": {"total": len(records), "pages": 1, "currentPage": 1, "records": records}}


def _message(body: Mapping[str, Any]) -> Mapping[str, Any]:
    if "text" in body:
        return {"conversation": body["text"]}
    if "audio" in body:
        return {"audioMessage": {}}
    return {f"{body.get('mediatype')}Message": {"caption": body.get("caption")}}
