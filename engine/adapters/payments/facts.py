"""What a notice tells besides its outcome, under the same names whatever the platform; and ids for notices without one.

Names: event, status, product_id, offer, currency, parent_transaction, order_bump, payment_type, test_event, refusal,
checkout_url, pix_code, pix_qrcode, pix_expiration_date, billet_url, billet_barcode, installments_number.
"""

import hashlib
from collections.abc import Mapping

from engine.adapters.bodies import storable
from engine.core.canonical import canonical


def facts(named: Mapping[str, object]) -> Mapping[str, object]:
    """Those that are single values and say something, safe to keep."""
    told = {key: value for key, value in named.items() if isinstance(value, str | int | float) and value != ""}
    return storable(told)[0]


def fingerprint(*parts: object) -> str:
    """An id for a notice that has none, the same for every delivery of it; the parts are JSON."""
    return hashlib.sha256(canonical(storable({"of": list(parts)})[0]).encode()).hexdigest()[:32]
