"""Every payment platform by its name: a new one is one file and one line here."""

from collections.abc import Mapping

from engine.adapters.payments.asaas import ASAAS
from engine.adapters.payments.cakto import CAKTO
from engine.adapters.payments.eduzz import EDUZZ
from engine.adapters.payments.generic import GENERIC
from engine.adapters.payments.hotmart import HOTMART
from engine.adapters.payments.kiwify import KIWIFY
from engine.adapters.payments.mercadopago import MERCADOPAGO
from engine.adapters.payments.pagarme import PAGARME
from engine.adapters.payments.perfectpay import PERFECTPAY
from engine.adapters.payments.pix_bcb import PIX_BCB
from engine.adapters.payments.protocol import Platform
from engine.adapters.payments.stripe import STRIPE
from engine.adapters.payments.ticto import TICTO
from engine.core.errors import NotFound

PLATFORMS: Mapping[str, Platform] = {
    platform.name: platform
    for platform in (
        HOTMART,
        KIWIFY,
        EDUZZ,
        CAKTO,
        PERFECTPAY,
        TICTO,
        STRIPE,
        MERCADOPAGO,
        ASAAS,
        PAGARME,
        PIX_BCB,
        GENERIC,
    )
}


def platform(name: str) -> Platform:
    """The platform of a name. Raises NotFound."""
    try:
        return PLATFORMS[name]
    except KeyError:
        raise NotFound("payment platform", name) from None
