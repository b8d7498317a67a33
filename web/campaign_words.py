"""Campaigns in words: their state, why they stand still, why somebody is left out."""

from web.i18n import gettext

__all__ = ["STANDING", "left_out", "standing", "status", "waits_for"]

STANDING = (
    *("no_channel", "flow_not_live", "account_held", "template_held", "template_not_approved", "too_many_failures"),
)
"""What stops a campaign by itself."""


def status(code: str) -> tuple[str, str, str]:
    """(tone, icon, words) of a campaign's state."""
    return {
        "running": ("info", "play", gettext("Being sent")),
        "paused": ("warn", "pause", gettext("Standing still")),
        "stopped": ("err", "noc", gettext("Stopped")),
        "done": ("ok", "okc", gettext("Done")),
    }[code]


def standing(code: str) -> str:
    """Why a campaign stands still; "" when a person chose it."""
    return {
        "by_person": "",
        "": "",
        "no_channel": gettext("Its number is not connected any more."),
        "flow_not_live": gettext("Its flow is not live."),
        "account_held": gettext("Meta restricts the account of the number. Look at the channel first."),
        "template_held": gettext("Meta switched the template off."),
        "template_not_approved": gettext("The template is not approved at Meta any more."),
        "too_many_failures": gettext("Too many messages failed. Look at some of them before it goes on."),
    }.get(code, code.replace("_", " "))


def waits_for(code: str, until: str) -> str:
    """Why nothing of a running campaign leaves now; "" when it is only its pace."""
    return {
        "quiet_hours": gettext("These are quiet hours: it goes on at %(when)s."),
        "day_full": gettext("As many people as a day may have were written to: it goes on at %(when)s."),
    }.get(code, "") % {"when": until}


def left_out(code: str) -> str:
    """Why people are left out."""
    return {
        "opted_out": gettext("asked for no more messages"),
        "no_proof": gettext("no proof of consent"),
        "no_address": gettext("no number to write to"),
        "paused": gettext("the bot is paused with them"),
        "paid": gettext("bought already"),
        "with_person": gettext("wait for somebody of the team"),
        "value_missing": gettext("a value of the text is missing"),
        "written_before": gettext("written to before"),
    }.get(code, code.replace("_", " "))
