"""Why a decision about what waits for approval was not taken, in sentences."""

from collections.abc import Mapping, Sequence

from web.i18n import gettext
from web.role_words import role_name

__all__ = ["approval_refusals", "only_these"]


def approval_refusals(given: Mapping[str, object]) -> dict[str, str]:
    """Code to sentence."""
    return {
        "approval_decided": _decided(given),
        "approval_expired": gettext("The time was over: nothing was sent."),
        "approval_changed": gettext(
            "By now another message would be sent: look at it and decide again. Nothing was sent."
        ),
        "approval_not_yours": only_these(str(given.get("approvers") or "").split(", ")),
        "approval_no_arrow": gettext("The flow has no arrow for this decision. Who edits the flow can add it."),
        "approval_window": gettext(
            "The 24 hours are over and there is no template beside the words: this cannot be sent any more."
        ),
        "approval_opted_out": gettext("The customer wants no more messages: nothing can be sent."),
        "approval_reason_missing": gettext("Say in a few words why not."),
        "approval_reason_long": gettext("The reason is too long."),
        "approval_extended": gettext("It was given more time already; that can be done once."),
    }


def only_these(approvers: Sequence[str]) -> str:
    """Who may decide: whom the state names, roles in words, or else everybody whose role allows it."""
    names = ", ".join(role_name(name.strip().casefold()) for name in approvers if name)
    if not names:
        return gettext("Your role looks on: a supervisor decides.")
    return gettext("Here only these decide: %(names)s.") % {"names": names}


def _decided(given: Mapping[str, object]) -> str:
    match given.get("status"):
        case "approved":
            return gettext("%(by)s approved it first.") % given
        case "rejected":
            return gettext("%(by)s rejected it first.") % given
        case "replaced":
            return gettext("By now another message would be sent: look at it and decide again. Nothing was sent.")
    return gettext("The conversation went on by itself: nothing waits for you there any more.")
