"""Pix straight from a bank, in the standard of the Banco Central: several Pix in one post, refunds on the same path.

The bank proves itself with its certificate to the server in front (mutual TLS); here counts the secret address, and a
header that the server in front can add.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice

from engine.adapters.bodies import storable
from engine.adapters.payments.amounts import cents
from engine.adapters.payments.facts import facts
from engine.adapters.payments.protocol import Key, Notice, Platform, SourceConfig
from engine.adapters.payments.proving import first, with_header
from engine.adapters.proofs import header, require_shared
from engine.adapters.reading import mapping, objects, word
from engine.adapters.timestamps import to_millis
from engine.core.inbound import Ignored, Item, Parsed, Payment, Person, Unknown

DEFAULT_HEADER = "X-Pix-Token"
_MOST = 1_000
_GIVEN_BACK = "DEVOLVIDO"


@dataclass(frozen=True, slots=True)
class _InFront:
    """The secret address alone, or also a header where the source has a `token`."""

    about: str = "the secret address (mutual TLS ends at the server in front), optionally a header that it adds"

    def verify(self, config: SourceConfig, notice: Notice) -> None:
        wanted = config.secrets.get("token", "")
        if wanted:
            require_shared(header(notice.headers, _header(config)), wanted)

    def prove(self, config: SourceConfig, notice: Notice) -> Notice:
        secret = first(config, "token")
        return with_header(notice, _header(config), secret) if secret else notice


def _header(config: SourceConfig) -> str:
    return config.settings.get("header") or DEFAULT_HEADER


def _parse(_config: SourceConfig, notice: Notice) -> Parsed:
    """Every Pix of the post."""
    posted = [mapping(pix) for pix in islice(objects(notice.content.get("pix")), _MOST)]
    items = [_item(pix, notice) for pix in posted]
    if not items:
        # A bank tries the address when it is registered; what it posts then differs and names no Pix.
        is_trial = word(notice.content.get("evento")) == "teste_webhook"
        items = [Ignored(reason="test") if is_trial else Unknown(reason="unknown_event")]
    return Parsed(tuple(items), storable(notice.content)[0])


PIX_BCB = Platform(
    name="pix_bcb",
    title="Pix from a bank",
    keys=(
        Key("token", "what the header must hold; without it the secret address alone counts", secret=True),
        Key("header", f"the header that the server in front adds ({DEFAULT_HEADER})"),
    ),
    proof=_InFront(),
    parse=_parse,
    outcomes=frozenset({"approved", "refunded"}),
    phone=None,
    reference="`txid`",
    unverified=("what a bank posts when an address is registered",),
)


def _item(pix: Mapping[str, object], notice: Notice) -> Item:
    end_to_end, txid, amount = word(pix.get("endToEndId")), word(pix.get("txid")), cents(pix.get("valor"))
    at = to_millis(pix.get("horario"), "UTC") or notice.received_at
    if end_to_end is None:
        return Unknown(reason="unreadable_shape", name="pix")
    returns = [mapping(each) for each in islice(objects(pix.get("devolucoes")), _MOST)]
    outcome, event_id = "approved", end_to_end
    if returns:
        done = [each for each in returns if each.get("status") == _GIVEN_BACK]
        event_id = ":".join([end_to_end, "refund", *(word(each.get("id")) or "" for each in done)])[:255]
        if sum(cents(each.get("valor")) or 0 for each in done) < (amount or 1):
            reason = "partial_refund" if done else "refund_pending"
            return Ignored(reason=reason, provider_id=event_id, at=at)
        outcome = "refunded"
        at = max([to_millis(mapping(each.get("horario")).get("liquidacao"), "UTC") or at for each in done])
    return Payment(
        event_id=event_id,
        platform=PIX_BCB.name,
        outcome=outcome,
        at=at,
        person=Person(reference=txid),
        transaction=txid or end_to_end,
        amount_cents=amount,
        data=facts({"event": f"pix.{outcome}", "currency": "BRL", "payment_type": "pix"}),
    )
