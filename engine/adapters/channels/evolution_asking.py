"""What the gateway's own store knows of our sends: the ones that look like a message, and how far one came (R27)."""

from collections.abc import Mapping
from datetime import UTC, datetime

from engine.adapters.bodies import object_in
from engine.adapters.channels.evolution_calls import post
from engine.adapters.channels.evolution_content import content
from engine.adapters.channels.evolution_jids import person_of
from engine.adapters.channels.evolution_parse import STATUSES
from engine.adapters.channels.protocol import ChannelConfig, Outgoing, Recipient
from engine.adapters.channels.rendition import rendition
from engine.adapters.http import MAX_ANSWER, Transport
from engine.adapters.reading import mapping, objects, word
from engine.adapters.timestamps import to_millis
from engine.core.errors import AnswerLost, NotSent
from engine.core.flow import HOUR, SECOND, Millis
from engine.core.identity import same
from engine.core.inbound import Person

CLOCK_SLACK = 5 * SECOND
"""How far the gateway's clock may be behind ours."""
_MOST = 100
"""Messages of one answer: all that the number sent since the attempt, the newest first."""
_PROVEN = ("sent", "delivered", "read", "played")


async def sent_like(http: Transport, config: ChannelConfig, outgoing: Outgoing, since: Millis) -> tuple[str, ...]:
    """The ids of our messages with the same content to the same person since then, the newest first.

    The question names no chat: the gateway may know the person by another spelling of the number, or by a LID.
    """
    earliest = since - CLOCK_SLACK
    moments = {"gte": _iso(earliest), "lte": _iso(since + HOUR)}
    found = await _records(http, config, {"key": {"fromMe": True}, "messageTimestamp": moments})
    return tuple(
        provider_id
        for record in found
        if (provider_id := word(mapping(record.get("key")).get("id"))) and _alike(record, outgoing, earliest)
    )


async def progress_of(http: Transport, config: ChannelConfig, provider_id: str) -> str | None:
    """How far a message came, as a status of Status; None when the gateway knows of no more than that it took it."""
    for record in await _records(http, config, {"key": {"id": provider_id}}):
        if mapping(record.get("key")).get("id") != provider_id:
            continue
        told = {STATUSES.get(str(mapping(one).get("status"))) for one in objects(record.get("MessageUpdate"))}
        furthest = [status for status in _PROVEN if status in told]
        return furthest[-1] if furthest else "failed" if "failed" in told else None
    return None


async def _records(http: Transport, config: ChannelConfig, where: Mapping[str, object]) -> list[Mapping[str, object]]:
    """What the gateway has stored; nothing when it cannot be asked."""
    try:
        answer = await http.request(post(config, "chat/findMessages", {"where": where, "offset": _MOST, "page": 1}))
    except (NotSent, AnswerLost):
        return []
    found = mapping(object_in(answer.body, MAX_ANSWER)) if answer.status == 200 else {}
    return [mapping(one) for one in objects(mapping(found.get("messages")).get("records"))]


def _alike(record: Mapping[str, object], outgoing: Outgoing, earliest: Millis) -> bool:
    key, at = mapping(record.get("key")), to_millis(record.get("messageTimestamp"))
    # Its time is in whole seconds, and the fraction that it lacks must not make it too old.
    if key.get("fromMe") is not True or at is None or at + SECOND <= earliest:
        return False
    if not _is(person_of(key), outgoing.to):
        return False
    said = content(record.get("message"))
    kind, words = outgoing.media.kind if outgoing.media else "text", rendition(outgoing)
    return said.kind == kind and (kind == "audio" or (said.text or "").strip() == words.strip())


def _is(person: Person | None, to: Recipient) -> bool:
    if person is None:
        return False
    if person.phone and to.phone:
        return same(person.phone, to.phone)
    return person.lid is not None and person.lid == to.lid


def _iso(at: Millis) -> str:
    return datetime.fromtimestamp(at // SECOND, UTC).isoformat().replace("+00:00", ".000Z")
