"""A lead's file out of the Cloud API: its id is asked for an address of a few minutes, which then gives the bytes."""

from collections.abc import Mapping

from yarl import URL

from engine.adapters.bodies import object_in
from engine.adapters.channels.cloud_address import bearer, root
from engine.adapters.channels.protocol import ChannelConfig
from engine.adapters.http import MAX_ANSWER, HttpRequest, Transport
from engine.adapters.media import Media, MediaRefused, answered, fetch, plain_type, require_allowed
from engine.adapters.reading import number

_MAX_ADDRESS = 2_048
_PLATFORM = (".facebook.com", ".fbsbx.com", ".whatsapp.net")
"""Files lie on other hosts of the platform than the API; those want the token too."""


async def download(http: Transport, config: ChannelConfig, media: Mapping[str, object], limit: int) -> Media:
    """The file of a message's `media`, which holds the platform's `id`, or a `url`, and its `mime_type`.

    At most `limit` bytes. The token goes to the platform only; an address elsewhere must be public (S19). Raises MediaRefused.
    """
    declared = plain_type(media.get("mime_type"))
    require_allowed(declared)
    url = media.get("url")
    if isinstance(identifier := media.get("id"), str) and identifier.isascii() and identifier.isalnum():
        about = await _asked(http, config, identifier)
        declared = plain_type(about.get("mime_type")) or declared
        require_allowed(declared)
        if (number(about.get("file_size")) or 0) > limit:
            raise MediaRefused("too_large")
        url = about.get("url")
    if not isinstance(url, str) or not 0 < len(url) <= _MAX_ADDRESS:
        raise MediaRefused("no_reference")
    headers = bearer(config) if _may_see_token(config, url) else {}
    return await fetch(http, url, headers, declared, limit, trusted=_is_own(config, url))


async def _asked(http: Transport, config: ChannelConfig, identifier: str) -> Mapping[str, object]:
    """What the platform says about a file: `url`, `mime_type`, `file_size`."""
    url = f"{root(config)}/{identifier}?phone_number_id={config.settings.get('phone_number_id', '')}"
    answer = await answered(http, HttpRequest(method="GET", url=url, headers=bearer(config), trusted=True))
    if (about := object_in(answer.body, MAX_ANSWER)) is None:
        raise MediaRefused("unavailable")
    return about


def _is_own(config: ChannelConfig, url: str) -> bool:
    """Whether an address that we were told lies on the very server that an admin configured."""
    try:
        return URL(url).origin() == URL(root(config)).origin()
    except ValueError:
        return False


def _may_see_token(config: ChannelConfig, url: str) -> bool:
    """Whether an address is the API's own server or one of the platform's hosts."""
    try:
        parts = URL(url)
        return _is_own(config, url) or (parts.scheme == "https" and f".{parts.host}".endswith(_PLATFORM))
    except ValueError:
        return False
