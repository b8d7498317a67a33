"""What the platform says of a number: whether we may use it, under which name, how good it is, how much it may send."""

from dataclasses import dataclass
from urllib.parse import urlencode

from engine.adapters.channels.cloud_address import root
from engine.adapters.channels.cloud_asking import asked
from engine.adapters.channels.protocol import ChannelConfig
from engine.adapters.http import HttpRequest, Transport
from engine.adapters.reading import name, word
from engine.core.errors import Refused

__all__ = ["Number", "number"]

FIELDS = "display_phone_number,verified_name,quality_rating,messaging_limit_tier"


@dataclass(frozen=True, slots=True)
class Number:
    """A number as the platform knows it; `quality` (GREEN, YELLOW, RED) and `limit` (TIER_…) are its own words."""

    phone: str
    name: str
    quality: str
    limit: str


async def number(http: Transport, config: ChannelConfig) -> Number:
    """Ask for it. Raises Refused: number_id_missing, and as `asked` does."""
    known = config.settings.get("phone_number_id", "")
    if not (known.isascii() and known.isalnum()):
        raise Refused("number_id_missing")
    request = HttpRequest(method="GET", url=f"{root(config)}/{known}?{urlencode({'fields': FIELDS})}")
    told = await asked(http, config, request)
    phone = name(told.get("display_phone_number"))
    if phone is None:
        raise Refused("platform_unreachable")
    return Number(
        phone=phone,
        name=name(told.get("verified_name")) or "",
        quality=word(told.get("quality_rating")) or "",
        limit=word(told.get("messaging_limit_tier")) or "",
    )
