"""Connect a number whose session runs on a gateway: make the instance, have its news posted to us, show its code."""

from dataclasses import dataclass

from engine.adapters.channels.pairing import Link, Pairing
from engine.adapters.channels.registry import PAIRINGS
from engine.adapters.proofs import in_rotation
from engine.adapters.reading import digits
from engine.core.errors import NotFound, Refused
from engine.core.flow import Millis
from engine.core.permissions import Actor
from engine.core.troubles import OK
from engine.runtime import Runtime
from engine.services import channels
from engine.services.channel_health import heard
from engine.services.channels import ChannelRecord
from engine.services.connections import TOKEN_BYTES
from engine.services.install import last_address
from engine.store import audit
from engine.store.connection import Tx

__all__ = ["DEFAULT_BASE", "Seen", "address_base", "begin", "can_pair", "picture", "seen"]

DEFAULT_BASE = "http://127.0.0.1:8000"
SECRET = "webhook_secret"  # noqa: S105 - the name of a key
NEEDED = ("instance", "base_url", "api_key")


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A channel and its connection as the gateway tells it now; `state` and `since` are what we last heard of it.

    `unproved`: its posts are to prove a secret that the gateway did not promise to send.
    """

    id: int
    name: str
    state: str
    since: Millis
    link: Link
    unproved: bool = False


def can_pair(kind: str) -> bool:
    """Whether channels of a kind have a session that is connected by reading a code."""
    return kind in PAIRINGS


async def address_base(runtime: Runtime) -> str:
    """Where the gateway reaches us: as configured, else where the installation was started last."""
    return runtime.settings.base_url or await last_address(runtime.store) or DEFAULT_BASE


async def seen(runtime: Runtime, channel_id: int) -> Seen:
    """How the connection is now, with the code that waits to be read; changes nothing.

    Raises NotFound, Refused: cannot_pair, gateway_unset.
    """
    record, pairing = await _there(runtime, channel_id)
    return _shown(record, await pairing.code(runtime.http, record.config))


async def picture(runtime: Runtime, channel_id: int) -> bytes:
    """The QR code as a PNG. Raises as `seen`, and NotFound when none waits to be read."""
    link = (await seen(runtime, channel_id)).link
    if link.qr is None:
        raise NotFound("QR code", channel_id)
    return link.qr


async def begin(runtime: Runtime, channel_id: int, actor: Actor, base: str, number: str = "") -> Seen:
    """Create or connect the instance and point its news to us. `number`: make a code to type on that telephone.

    The secret that the posts prove is stored only when the gateway has shown that it will send it: the other way round
    it would be refused with everything that it posts meanwhile. Raises as `seen`, and Refused("phone_unreadable").
    """
    record, pairing = await _there(runtime, channel_id)
    phone = digits(number) if number.strip() else None
    if number.strip() and phone is None:
        raise Refused("phone_unreadable")
    known = in_rotation(record.config.secrets.get(SECRET, ""))
    secret = known[0] if known else runtime.ids.token(TOKEN_BYTES)
    address = f"{base}/hooks/wa/{record.token}"
    link, promised = await pairing.connect(runtime.http, record.config, address, secret, phone)
    if promised and not known:
        await channels.change(runtime, channel_id, actor, values={SECRET: secret})
    now = runtime.clock.now()

    def unit(tx: Tx) -> None:
        facts = {"state": link.state, "proved": promised}
        audit.note(tx, now, actor, "channel.connecting", subject=record.config.name, facts=facts)
        if link.state != "unreached":
            heard(tx, now, channel_id, link.state)

    await runtime.store.write(f"channel:{channel_id}", unit)
    return _shown(record, link, unproved=bool(known) and not promised and link.state in ("connecting", "open"))


async def _there(runtime: Runtime, channel_id: int) -> tuple[ChannelRecord, Pairing]:
    record = await runtime.store.read(lambda tx: channels.record_within(tx, runtime.vault, channel_id))
    if record is None:
        raise NotFound("channel", channel_id)
    pairing = PAIRINGS.get(record.config.kind)
    if pairing is None:
        raise Refused("cannot_pair", name=record.config.name)
    given = {**record.config.settings, **record.config.secrets}
    if missing := [key for key in NEEDED if not given.get(key)]:
        raise Refused("gateway_unset", keys=missing)
    return record, pairing


def _shown(record: ChannelRecord, link: Link, *, unproved: bool = False) -> Seen:
    since = record.state_at if record.state != OK else record.created_at
    return Seen(id=record.id, name=record.config.name, state=record.state, since=since, link=link, unproved=unproved)
