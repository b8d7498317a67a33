"""Why a decision about what waits for approval was not taken, in sentences."""

from collections.abc import Mapping

from web.i18n import gettext

__all__ = ["approval_refusals"]


def approval_refusals(given: Mapping[str, object]) -> dict[str, str]:
    """Code to sentence."""
    return {
        "approval_decided": _decided(given),
        "approval_expired": gettext("The time was over: nothing was sent."),
        "approval_changed": gettext(
            "By now another message would be sent: look at it and decide again. Nothing was sent."
        ),
        "approval_not_yours": gettext("Only these decide here: %(approvers)s.") % given
        if given.get("approvers")
        else gettext("Your role looks on: a supervisor decides."),
        "approval_no_arrow": gettext("The flow has no arrow for this decision. Who edits the flow can add it."),
        "approval_window": gettext(
            "The 24 hours are over and there is no template beside the words: this cannot be sent any more."
        ),
        "approval_opted_out": gettext("The customer wants no more messages: nothing can be sent."),
        "approval_reason_missing": gettext("Say in a few words why not."),
        "approval_reason_long": gettext("The reason is too long."),
        "approval_extended": gettext("It was given more time already; that can be done once."),
    }


def _decided(given: Mapping[str, object]) -> str:
    match given.get("status"):
        case "approved":
            return gettext("%(by)s approved it first.") % given
        case "rejected":
            return gettext("%(by)s rejected it first.") % given
        case "replaced":
            return gettext("By now another message would be sent: look at it and decide again. Nothing was sent.")
    return gettext("The conversation went on by itself: nothing waits for you there any more.")
