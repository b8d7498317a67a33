"""What holds the messages of a channel back, as the desk's banner says it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from engine.core.flow import Millis
from engine.services.holding import ACCOUNT, Trouble
from web.desk_words import moment_of
from web.i18n import gettext, ngettext

__all__ = ["Banner", "banners"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Banner:
    """One line: what is the matter, what waits and until when, and the values that the button sends."""

    title: str
    text: str
    channel: int
    what: str
    subject: str


def banners(troubles: Iterable[Trouble], now: Millis) -> Iterator[Banner]:
    """The lines in the current language."""
    for trouble in troubles:
        values = {"channel": trouble.channel, "template": trouble.subject.partition("/")[0]}
        if trouble.what == ACCOUNT:
            title = gettext("Nothing leaves through %(channel)s: its account has a problem.") % values
        else:
            title = gettext("The template %(template)s is switched off on %(channel)s.") % values
        yield Banner(
            title=title,
            text=" ".join(_told(trouble, now)),
            channel=trouble.channel_id,
            what=trouble.what,
            subject=trouble.subject,
        )


def _told(trouble: Trouble, now: Millis) -> Iterator[str]:
    if trouble.detail:
        yield gettext("The platform says: %(detail)s") % {"detail": trouble.detail} + (
            f" ({trouble.code})." if trouble.code is not None else "."
        )
    elif trouble.code is not None:
        yield gettext("Code %(code)s.") % {"code": trouble.code}
    if trouble.letters:
        yield ngettext("%(num)s message waits.", "%(num)s messages wait.", trouble.letters) % {"num": trouble.letters}
    if trouble.until is None:
        yield gettext("The next message tries it again.")
    else:
        yield gettext("One message tries it again at %(when)s.") % {"when": moment_of(trouble.until, now)}
