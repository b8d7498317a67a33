"""Kinds of channels, payment platforms and their keys, in words. A key that nobody described is called by its name."""

from dataclasses import dataclass

from web.i18n import gettext

__all__ = ["Described", "about_kind", "described", "kind_name", "platform_name"]

_PLATFORMS = {
    "hotmart": "Hotmart", "stripe": "Stripe", "mercadopago": "Mercado Pago", "mercado_pago": "Mercado Pago",
    "pagarme": "Pagar.me", "perfectpay": "PerfectPay", "pix_bcb": "Pix (Bacen)", "asaas": "Asaas", "kiwify": "Kiwify",
    "cakto": "Cakto", "eduzz": "Eduzz", "ticto": "Ticto",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Described:
    """A key as a form shows it."""

    label: str
    hint: str = ""


def kind_name(kind: str) -> str:
    """A kind of channel."""
    return {
        "whatsapp_cloud": gettext("Cloud API (official)"),
        "evolution": "Evolution API",
        "phone": gettext("Test phone"),
    }.get(kind, kind.replace("_", " "))


def about_kind(kind: str) -> str:
    """What a kind of channel means for whoever chooses it: its rules and its risk."""
    return {
        "whatsapp_cloud": gettext(
            "Meta's own service, made for bots. 24 h after the customer's last message only approved templates leave."
        ),
        "evolution": gettext(
            "A gateway that uses WhatsApp on a phone. There is no 24 h rule, but reports and blocks by customers can"
            " get the number banned: write little to people who did not write first."
        ),
        "phone": gettext("A page on which you play the customer. Nothing of it goes to WhatsApp."),
    }.get(kind, "")


def platform_name(platform: str) -> str:
    """A payment platform by its own name."""
    return _PLATFORMS.get(platform, platform.replace("_", " ").title())


def described(key: str) -> Described:
    """A key of a channel or of a payment source."""
    return _known().get(key) or Described(key)


def _known() -> dict[str, Described]:
    return {
        "app_secret": Described(
            gettext("App secret"), gettext("Proves that a notice comes from Meta. Without it nothing enters.")
        ),
        "verify_token": Described(
            gettext("Verification word"),
            gettext("Make one up and write the same at the provider when you paste the address."),
        ),
        "access_token": Described(gettext("Access token"), gettext("With it messages are sent. Use a permanent one.")),
        "phone_number_id": Described(
            gettext("Id of the number at Meta"), gettext("Long number that the panel shows; it is not the telephone.")
        ),
        "waba_id": Described(
            gettext("Id of the business account at Meta"),
            gettext("Long number of the WhatsApp Business Account. With it the templates are known here."),
        ),
        "number": Described(gettext("Telephone number"), gettext("With country and area code, as 55 11 90000-0001.")),
        "base_url": Described(
            gettext("Address of the service"),
            gettext("Leave it empty to use the usual one, where there is a usual one."),
        ),
        "coexistence": Described(
            gettext("Also used in the app"), gettext("Whether people answer from the WhatsApp Business app too.")
        ),
        "throughput": Described(
            gettext("Most messages a second"), gettext("What the platform allows this number; empty for the usual.")
        ),
        "max_body": Described(
            gettext("Largest notice, in bytes"), gettext("Larger ones are refused; empty for the usual.")
        ),
        "instance": Described(gettext("Instance"), gettext("The name that the instance has in Evolution.")),
        "api_key": Described(gettext("API key"), gettext("The key of the instance, or the global one.")),
        "hottok": Described("Hottok", gettext("The token that Hotmart shows where webhooks are set up.")),
    }
