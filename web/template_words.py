"""Templates of the platform in words: state, category, quality, reason."""

from web.i18n import gettext

__all__ = ["category", "language_name", "quality", "reason", "status"]


def status(code: str) -> tuple[str, str, str]:
    """(tone, icon, words) of a state of the platform; one that nobody knows is shown as it is."""
    return {
        "APPROVED": ("ok", "okc", gettext("Approved")),
        "PENDING": ("info", "clock", gettext("Waiting for Meta")),
        "IN_APPEAL": ("info", "clock", gettext("Appeal running")),
        "REJECTED": ("err", "noc", gettext("Rejected")),
        "PAUSED": ("warn", "pause", gettext("Paused by Meta")),
        "FLAGGED": ("warn", "alert", gettext("Warned by Meta")),
        "DISABLED": ("err", "ban", gettext("Switched off by Meta")),
        "DELETED": ("", "trash", gettext("Not at Meta any more")),
        "PENDING_DELETION": ("", "trash", gettext("Being deleted")),
        "LIMIT_EXCEEDED": ("warn", "alert", gettext("Too many templates")),
        "LOCKED": ("warn", "lock", gettext("Locked by Meta")),
        "ARCHIVED": ("", "trash", gettext("Archived")),
    }.get(code, ("", "info", code.replace("_", " ").capitalize()))


def category(code: str) -> str:
    """What a template may be used for, which also decides its price."""
    return {
        "MARKETING": gettext("Marketing"),
        "UTILITY": gettext("Utility"),
        "AUTHENTICATION": gettext("Sign-in code"),
    }.get(code, code.capitalize())


def quality(code: str) -> tuple[str, str]:
    """(tone, words) of what customers make of it."""
    return {
        "GREEN": ("ok", gettext("High quality")),
        "YELLOW": ("warn", gettext("Medium quality: some customers block or report it")),
        "RED": ("err", gettext("Low quality: customers block or report it")),
    }.get(code, ("", gettext("Quality not measured yet")))


def reason(code: str) -> str:
    """Why the platform refused or paused it; its own words where we have none."""
    known = {
        "ABUSIVE_CONTENT": gettext("The content counts as abusive."),
        "INCORRECT_CATEGORY": gettext("The category does not fit the text."),
        "INVALID_FORMAT": gettext("The format is not valid: look at the values and their examples."),
        "PROMOTIONAL": gettext("The text sells something: the category is Marketing."),
        "TAG_CONTENT_MISMATCH": gettext("The language does not fit the text."),
        "SCAM": gettext("The content counts as a fraud."),
        "NONE": "",
    }
    return known.get(code, code.replace("_", " ").capitalize() if code.isupper() else code)


def language_name(code: str) -> str:
    """A language of a template."""
    return {
        "pt_BR": gettext("Portuguese (Brazil)"),
        "en_US": gettext("English (US)"),
        "en": gettext("English"),
        "es": gettext("Spanish"),
    }.get(code, code)
