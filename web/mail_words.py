"""Messages to people of the team: their words, in the language of whoever gets them, and sending them."""

from dataclasses import dataclass

from engine.core.errors import Refused
from engine.runtime import Runtime
from engine.services import mail
from engine.services.accounts import Account
from web import i18n
from web.i18n import gettext
from web.refusals import sentence

__all__ = ["Sent", "invited", "reset", "tried"]


@dataclass(frozen=True, slots=True)
class Sent:
    """What became of a message: to whom, and why not if it did not leave."""

    to: str
    problem: str = ""


async def invited(runtime: Runtime, account: Account, token: str) -> Sent | None:
    """The one-time link of an administrator by mail; None where no mail server is set."""
    found = await mail.show(runtime)
    if found is None:
        return None
    link = f"{found.site}/setup/{token}"
    with i18n.speaking(account.language or i18n.current()):
        subject = gettext("Your way into Trilho")
        text = gettext(
            "Hello,\n\nwith this link you choose your password for Trilho. It works once, for three days:\n\n%(link)s\n"
        ) % {"link": link}
    return await _sent(runtime, account.email, subject, text)


async def reset(runtime: Runtime, account: Account, token: str) -> Sent | None:
    """The link for a forgotten password; None where no mail server is set."""
    found = await mail.show(runtime)
    if found is None:
        return None
    link = f"{found.site}/setup/{token}"
    with i18n.speaking(account.language or i18n.DEFAULT):
        subject = gettext("A new password for Trilho")
        text = gettext(
            "Hello,\n\nsomebody, we hope you, asked for a new password for this address. This link works once, for an"
            " hour:\n\n%(link)s\n\nIf it was not you, do nothing: your password stays as it is.\n"
        ) % {"link": link}
    return await _sent(runtime, account.email, subject, text)


async def tried(runtime: Runtime, to: str) -> Sent:
    """A message that only shows that messages arrive."""
    return await _sent(
        runtime, to, gettext("Trilho: a test message"), gettext("Messages of Trilho arrive at this address.\n")
    )


async def _sent(runtime: Runtime, to: str, subject: str, text: str) -> Sent:
    try:
        await mail.send(runtime, to, subject, text)
    except Refused as refused:
        return Sent(to, sentence(refused))
    return Sent(to)
