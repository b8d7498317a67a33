"""The keys of payment sources in words: what each is and where it is found. One that nobody described is None."""

from dataclasses import dataclass

from web.i18n import gettext

__all__ = ["Described", "payment_key"]


@dataclass(frozen=True, slots=True)
class Described:
    """A key as a form shows it."""

    label: str
    hint: str = ""


def payment_key(platform: str, key: str) -> Described | None:
    """A key of a platform: by both names where platforms differ, else by its own."""
    return _known().get(f"{platform}.{key}") or _known().get(key)


def _known() -> dict[str, Described]:
    signing = gettext("Proves that a notice comes from the platform. Without it nothing enters.")
    path = gettext("A path through the notice, such as data.customer.phone.")
    return {
        "hottok": Described("Hottok", gettext("The token that Hotmart shows where webhooks are set up.")),
        "token": Described(gettext("Webhook token"), signing),
        "secret": Described(gettext("Webhook secret"), signing),
        "access_token": Described(gettext("Access token of the account"), gettext("With it payments are looked up.")),
        "api_key": Described(gettext("API key of the account"), gettext("With it customers are looked up.")),
        "base_url": Described(gettext("Another address of its API"), gettext("Leave it empty to use the usual one.")),
        "zone": Described(
            gettext("Time zone"), gettext("Of its dates without one, such as America/Sao_Paulo; empty for the usual.")
        ),
        "product.": Described(
            gettext("Flows of products"),
            gettext("Where a product has a flow of its own: one line each, id or name of the product = flow."),
        ),
        "stripe.secret": Described(
            gettext("Signing secret"), gettext("The one of the endpoint; it begins with whsec_.")
        ),
        "mercadopago.secret": Described(
            gettext("Secret signature"), gettext("The one that the application's webhooks show.")
        ),
        "pagarme.user": Described(gettext("User"), gettext("The one that the webhook was set up with.")),
        "pagarme.password": Described(gettext("Password"), gettext("The one that the webhook was set up with.")),
        "pix_bcb.token": Described(
            gettext("What the header holds"),
            gettext("Added by the server in front. Without it the address alone counts."),
        ),
        "pix_bcb.header": Described(gettext("Name of the header"), gettext("Empty for X-Pix-Token.")),
        "json.token": Described(gettext("Shared secret"), signing),
        "json.token_header": Described(gettext("Header that it comes in"), gettext("Empty for X-Webhook-Token.")),
        "json.token_field": Described(gettext("Field that it comes in"), gettext("Of the body, instead of a header.")),
        "json.event_path": Described(gettext("Where the kind of notice stands"), path),
        "json.id_path": Described(gettext("Where its own id stands"), gettext("Repetitions are told by it.")),
        "json.phone_path": Described(gettext("Where the phone stands"), path),
        "json.email_path": Described(gettext("Where the e-mail stands"), path),
        "json.name_path": Described(gettext("Where the name stands"), path),
        "json.reference_path": Described(gettext("Where our tracking code stands"), path),
        "json.transaction_path": Described(
            gettext("Where the purchase's id stands"),
            gettext("With it a second notice of one outcome is a repetition."),
        ),
        "json.product_path": Described(gettext("Where the product's name stands"), path),
        "json.product_id_path": Described(gettext("Where the product's id stands"), path),
        "json.amount_path": Described(gettext("Where the amount stands"), path),
        "json.amount_in": Described(gettext("Unit of the amount"), gettext("Write cents when it is in cents.")),
        "json.at_path": Described(gettext("Where the time stands"), path),
        "json.outcome.": Described(
            gettext("What each kind means"),
            gettext(
                "One line each: kind of notice = approved, refused, pix, boleto, abandoned, refunded, charged_back,"
                " expired or ignore."
            ),
        ),
    }
