"""Kinds of channels, payment platforms and their keys, in words. A key that nobody described is called by its name."""

from engine.services.source_overview import platforms
from web.i18n import gettext
from web.payment_keys import Described, payment_key

__all__ = ["about_kind", "described", "kind_name", "platform_name"]


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
    """A payment platform by its own name; those that have none in words."""
    return {
        "pix_bcb": gettext("Pix from a bank"),
        "json": gettext("Another platform (JSON)"),
    }.get(platform, dict(platforms()).get(platform, platform))


def described(key: str, platform: str = "") -> Described:
    """A key of a channel or, with its platform, of a payment source."""
    return (payment_key(platform, key) if platform else _known().get(key)) or Described(key)


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
            gettext("Id of the WhatsApp account at Meta"),
            gettext("Long number of the business account; with it Trilho fetches the message templates."),
        ),
        "number": Described(gettext("Telephone number"), gettext("With country and area code, as 55 11 90000-0001.")),
        "base_url": Described(
            gettext("Address of the service"),
            gettext("Leave it empty to use the usual one, where there is a usual one."),
        ),
        "coexistence": Described(
            gettext("Also used in the app"),
            gettext("Write true where people answer from the WhatsApp Business app too."),
        ),
        "throughput": Described(
            gettext("Most messages a second"), gettext("What the platform allows this number; empty for the usual.")
        ),
        "max_body": Described(
            gettext("Largest notice, in bytes"), gettext("Larger ones are refused; empty for the usual.")
        ),
        "instance": Described(gettext("Instance"), gettext("The name that the instance has in Evolution.")),
        "webhook_secret": Described(
            gettext("Webhook secret"),
            gettext("Set by itself when the QR code is read; proves that a notice is the gateway's."),
        ),
        "pacing": Described(
            gettext("Sparing the number"), gettext("Write off to send without any pace; empty for on.")
        ),
        "gap_seconds": Described(
            gettext("Seconds between two messages"), gettext("Of those that nobody asked for; empty for 8.")
        ),
        "jitter_seconds": Described(
            gettext("Chance on top, in seconds"), gettext("A part of this is added to each wait; empty for 7.")
        ),
        "contact_gap_seconds": Described(
            gettext("Seconds between two to one person"), gettext("Of those that nobody asked for; empty for 60.")
        ),
        "contact_daily": Described(
            gettext("Most to one person in 24 h"), gettext("Of those that nobody asked for; empty for 5.")
        ),
        "strangers_daily": Described(
            gettext("Strangers a day"), gettext("People who never wrote and are written to; empty for 50.")
        ),
        "hours": Described(
            gettext("When the number writes"), gettext("Of what nobody asked for, such as 08:00-21:00.")
        ),
        "api_key": Described(gettext("API key"), gettext("The key of the instance, or the global one.")),
    }
