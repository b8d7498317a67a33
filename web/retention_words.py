"""The classes of what is kept, in words."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.services.retention import BOUNDS, CLASSES, Standing
from web.i18n import gettext, ngettext
from web.words import number

__all__ = ["ShownClass", "class_name", "classes"]


@dataclass(frozen=True, slots=True)
class ShownClass:
    """One class: its days as they are set or were typed, within which bounds, and what would and did go."""

    key: str
    name: str
    what: str
    days: str
    bounds: str
    due: str
    removed: str


def class_name(key: object) -> str:
    """What a class is called; the key itself where nobody gave it words."""
    return {
        "messages": gettext("Messages"),
        "files": gettext("Files"),
        "webhooks": gettext("Notices as they came in"),
    }.get(str(key), str(key))


def classes(standing: Standing, typed: Mapping[str, str]) -> list[ShownClass]:
    """All of them, for the page."""
    what = {
        "messages": gettext("The words of both sides, the data of payments, and what was approved."),
        "files": gettext(
            "Pictures, audios, videos and documents of both sides. What was said in an audio goes with the messages."
        ),
        "webhooks": gettext(
            "The bodies that WhatsApp and payment platforms posted, by which a notice can be processed again."
        ),
    }
    made = []
    for key in CLASSES:
        least, most = BOUNDS[key]
        due, gone = standing.due[key], standing.removed.get(key, 0)
        made.append(
            ShownClass(
                key=key,
                name=class_name(key),
                what=what[key],
                days=typed.get(key, str(standing.days[key])),
                bounds=gettext("%(least)s to %(most)s days") % {"least": least, "most": number(most)},
                due=ngettext("%(num)s is older now", "%(num)s are older now", due) % {"num": number(due)},
                removed=ngettext("%(num)s went", "%(num)s went", gone) % {"num": number(gone)}
                if standing.ran_at
                else "",
            )
        )
    return made
