"""A file of ours into the Cloud API: handed over once, and from then on known by the platform's number for it."""

from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256

from engine.adapters.bodies import object_in
from engine.adapters.channels.cloud_address import bearer, root
from engine.adapters.channels.cloud_errors import classify
from engine.adapters.channels.protocol import ChannelConfig, OutgoingMedia, SendResult, refused, retry
from engine.adapters.http import MAX_ANSWER, HttpRequest, Transport
from engine.adapters.reading import mapping, word
from engine.core.errors import AnswerLost, NotSent
from engine.core.flow import SECOND

__all__ = ["handed_over"]


async def handed_over(http: Transport, config: ChannelConfig, media: OutgoingMedia) -> OutgoingMedia | SendResult:
    """The file as the platform knows it; else what became of the attempt, in which nothing reached the customer."""
    if media.content is None:
        return refused("content", "file_gone")
    try:
        answer = await http.request(_upload(config, media, media.content))
    except NotSent:
        return retry("server", 2 * SECOND, "not_sent")
    except AnswerLost:
        # The platform may have the file; nobody was sent anything.
        return retry("server", 2 * SECOND, "upload_lost")
    body = mapping(object_in(answer.body, MAX_ANSWER))
    number = word(body.get("id"))
    if 200 <= answer.status < 300 and number is not None and number.isascii() and number.isdigit():
        return replace(media, url=number)
    if 200 <= answer.status < 300:
        return retry("server", 2 * SECOND, "no_id_in_answer", answer.status)
    result = classify(answer.status, mapping(body.get("error")))
    return retry("server", 2 * SECOND, result.detail, result.code) if result.outcome == "unknown" else result


def _upload(config: ChannelConfig, media: OutgoingMedia, content: bytes) -> HttpRequest:
    """The form of RFC 7578. Its boundary is a digest of the file, so that the file cannot hold it by chance."""
    boundary = sha256(content).hexdigest()  # RFC 2046 allows 70 characters
    fields: Mapping[str, str] = {"messaging_product": "whatsapp", "type": media.mime}
    head = "".join(
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    )
    file = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{media.kind}"\r\n'
    file += f"Content-Type: {media.mime}\r\n\r\n"
    return HttpRequest(
        method="POST",
        url=f"{root(config)}/{config.settings.get('phone_number_id', '')}/media",
        headers={**bearer(config), "Content-Type": f"multipart/form-data; boundary={boundary}"},
        body=head.encode() + file.encode() + content + f"\r\n--{boundary}--\r\n".encode(),
        trusted=True,
    )
