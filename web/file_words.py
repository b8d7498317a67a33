"""A lead's file as the transcript shows it: a picture, a player, a link, or in words why there is none (R23, SEC-S20)."""

from dataclasses import dataclass

from babel.numbers import format_decimal

from engine.core.spoofing import revealed
from engine.services.show_file import File
from web import i18n
from web.desk_words import media
from web.i18n import gettext

__all__ = ["ShownFile", "refusal", "shown", "unheard"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownFile:
    """`look`: picture, sound, film, paper, or "" while there is nothing to look at. `note` is how it stands, `words`
    what is heard in an audio and `heard` how that stands; each is empty where there is nothing to say.
    """

    id: int
    look: str
    name: str
    size: str
    note: str
    failed: bool
    words: str
    heard: str


def shown(file: File) -> ShownFile:
    """The file in the current language."""
    return ShownFile(
        id=file.id,
        look=_look(file),
        name=revealed(file.name or "") or media(file.kind),
        size=_size(file.bytes) if file.state == "kept" else "",
        note=_note(file),
        failed=file.state == "refused",
        words=file.words,
        heard=_heard(file),
    )


def _look(file: File) -> str:
    if file.state != "kept":
        return ""
    family = file.mime.partition("/")[0]
    return {"image": "picture", "audio": "sound", "video": "film"}.get(family, "paper")


def _note(file: File) -> str:
    if file.state == "waiting":
        return gettext("The file is being fetched")
    return gettext("No file: %(why)s") % {"why": refusal(file.reason)} if file.state == "refused" else ""


def _heard(file: File) -> str:
    match file.transcript:
        case "waiting":
            return gettext("Being transcribed")
        case "failed" if file.state == "kept":
            return gettext("Not transcribed: %(why)s") % {"why": unheard(file.unheard)}
        case "none" if file.state == "kept":
            return gettext("Not transcribed: no service is set up")
    return ""


def refusal(code: str | None) -> str:
    """Why a file is not kept, as the end of a sentence."""
    known = {
        "deleted": gettext("the customer deleted it"),
        "faded": gettext("it was deleted after the time for which files are kept"),
        "no_channel": gettext("its channel does not exist any more"),
        "no_file": gettext("the channel has none"),
        "no_reference": gettext("the platform did not say where it is"),
        "gone": gettext("the platform does not have it any more"),
        "address": gettext("it lies at an address that is not allowed"),
        "too_large": gettext("it is too large"),
        "type": gettext("files of this kind are not kept"),
        "not_what_it_says": gettext("it is not what it says it is"),
        "too_many_pixels": gettext("the picture has too many points to be shown safely"),
        "auth": gettext("the channel's account may not fetch it"),
        "unavailable": gettext("the platform did not hand it out"),
    }
    return known.get(code or "", gettext("reason %(code)s") % {"code": code})


def unheard(code: str | None) -> str:
    """Why an audio has no words, as the end of a sentence."""
    known = {
        "no_service": gettext("no service is set up"),
        "no_file": gettext("there is no file"),
        "too_large": gettext("it is too large"),
        "refused": gettext("the service could not make it out"),
        "auth": gettext("the service does not accept our key"),
        "busy": gettext("the service has too much to do"),
        "unavailable": gettext("the service does not answer"),
        "unreadable": gettext("the service's answer says nothing"),
        "no_words": gettext("nobody speaks in it"),
    }
    return known.get(code or "", gettext("reason %(code)s") % {"code": code})


def _size(bytes_: int) -> str:
    """12 kB, 1,4 MB."""
    locale = i18n.current().replace("-", "_")
    if bytes_ < 1_000_000:
        return f"{format_decimal(max(1, round(bytes_ / 1_000)), locale=locale)} kB"
    return f"{format_decimal(round(bytes_ / 1_000_000, 1), locale=locale)} MB"
