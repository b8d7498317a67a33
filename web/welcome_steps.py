"""The first steps in words: what each is for, whether it is done, and where its one button leads."""

from dataclasses import dataclass

from engine.services.first_steps import Progress
from web.i18n import gettext

__all__ = ["Step", "steps"]


@dataclass(frozen=True, slots=True)
class Step:
    """One step. `button` and `href` are "" where the person's role cannot do it; then `told` says who can."""

    number: int
    name: str
    title: str
    short: str
    told: str
    button: str
    href: str
    done: bool


def steps(found: Progress, *, administers: bool) -> list[Step]:
    """The five steps in order."""
    flow = f"/flows/{found.sample}/draft" if found.sample else "/flows/new"
    phone = f"/phone/{found.phone}" if found.phone else "/settings/channels/new"
    admin = "" if administers else gettext("Who administers Trilho in your company does this.")
    words = [
        (
            "sample",
            gettext("Look at a flow"),
            gettext("You have a sample already"),
            gettext(
                "Each box is what you are waiting for, each arrow something that happens: the customer said something, paid, or went quiet."
            ),
            gettext("Open the sample in the editor") if found.sample else gettext("Make a flow"),
            flow,
        ),
        (
            "phone",
            gettext("Talk to the bot"),
            gettext("On the test phone: no customer gets anything"),
            gettext(
                "You play the customer: say hello, ask the price, ask to stop. Every answer says why it was sent, in the live desk."
            ),
            gettext("Open the test phone") if found.phone else gettext("Connect a test phone"),
            phone if found.phone or administers else "",
        ),
        (
            "channel",
            gettext("Connect a number"),
            gettext("Cloud API or Evolution"),
            gettext(
                "The number that your customers write to. You paste two addresses and send a test; until then nothing of theirs comes in."
            ),
            gettext("Connect a number"),
            "/settings/channels/new" if administers else "",
        ),
        (
            "payments",
            gettext("Connect the payment notices"),
            gettext("Optional, but it is what closes the sale"),
            gettext(
                "So the bot knows who paid, who left the checkout and whose Pix ran out, and says the right thing to each."
            ),
            gettext("Connect a payment source"),
            "/settings/payments/new" if administers else "",
        ),
        (
            "publish",
            gettext("Publish"),
            gettext("With a review, and a way back"),
            gettext(
                "Change the words and the price of the sample, look at what the checks say, and publish your own first version."
            ),
            gettext("Review and publish") if found.sample else gettext("Make a flow"),
            f"/flows/{found.sample}/publish" if found.sample else "/flows/new",
        ),
    ]
    return [
        Step(
            number,
            name,
            title,
            short,
            told if href else f"{told} {admin}",
            button if href else "",
            href,
            name in found.done,
        )
        for number, (name, title, short, told, button, href) in enumerate(words, start=1)
    ]
