"""Refusals about accounts, second factors, mail, tokens and publications that two decide, in a sentence each."""

from collections.abc import Mapping

from web.i18n import gettext

__all__ = ["account_refusals"]


def account_refusals(given: Mapping[str, object]) -> dict[str, str]:
    """Code to sentence; `given` are the facts, with a text for every placeholder."""
    return {
        "last_admin": gettext("Somebody has to remain who can administer."),
        "role_unknown": gettext("There is no such role."),
        "password_wrong": gettext("The password is not right."),
        "code_wrong": gettext("The code is not right, or was used already. Take the next one."),
        "code_late": gettext("Too much time went by: give your password again."),
        "factor_on": gettext("Your second factor is on already."),
        "factor_off": gettext("Your second factor is off."),
        "factor_required": gettext("A second factor is required of your role: it cannot be turned off."),
        "mail_unset": gettext("No mail server is set."),
        "mail_failed": mail_reason(str(given["reason"])),
        "mail_host": gettext("Write the name of the server alone, such as smtp.example.com."),
        "mail_port": gettext("A port is a number from 1 to 65535; 587 is usual."),
        "password_in_clear": gettext("Without TLS no password is sent: choose TLS, or leave the user empty."),
        "password_again": gettext("Server or user changed: type the password again."),
        "scope_missing": gettext("Choose what the token may do."),
        "second_person_needed": gettext("Here two people decide: ask for it, and somebody else approves."),
        "request_settled": gettext("This request is settled already."),
        "own_request": gettext("You asked for it yourself: somebody else has to approve."),
        "author_may_not": gettext("%(who)s, who asked, may not publish any more.") % given,
    }


def mail_reason(reason: str) -> str:
    """Why a message did not leave."""
    return {
        "unreachable": gettext("The mail server did not answer."),
        "tls": gettext("The connection could not be made safe: look at TLS, port and certificate."),
        "auth": gettext("The mail server did not take user and password."),
        "unusable": gettext("The message cannot be written to this address."),
    }.get(reason, gettext("The mail server refused the message."))
