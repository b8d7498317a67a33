"""Roles, what they may do, and why somebody may not, in words."""

from engine.core.permissions import Permission, Role, may
from web.i18n import gettext

__all__ = ["deed", "only", "role_name", "table"]


def role_name(role: str) -> str:
    """A role as pages call it."""
    names: dict[str, str] = {
        Role.READONLY: gettext("Read only"),
        Role.SUPERVISOR: gettext("Supervision"),
        Role.MARKETER: gettext("Editing (drafts)"),
        Role.PUBLISHER: gettext("Editing (publishes)"),
        Role.ADMIN: gettext("Administration"),
    }
    return names.get(role, role)


def deed(permission: Permission) -> str:
    """What a permission lets somebody do, to go on with after "can"."""
    return {
        Permission.VIEW: gettext("see conversations and figures"),
        Permission.CONVERSE: gettext("pause the bot, take over, answer and move a conversation"),
        Permission.APPROVE: gettext("approve or reject messages"),
        Permission.PHONES: gettext("see whole phone numbers"),
        Permission.REPLIES: gettext("write the ready replies"),
        Permission.EDIT: gettext("change drafts and simulate"),
        Permission.PUBLISH: gettext("publish and go back to a version"),
        Permission.ADMINISTER: gettext("manage channels, payments, people, secrets and privacy"),
    }[permission]


def only(permission: Permission) -> str:
    """The sentence of a refusal: which roles could."""
    names = [role_name(role) for role in Role if may(role, permission)]
    before, last = ", ".join(names[:-1]), names[-1]
    roles = gettext("%(before)s or %(last)s") % {"before": before, "last": last} if before else last
    return gettext("Only who has the role %(roles)s can %(deed)s.") % {"roles": roles, "deed": deed(permission)}


def table() -> list[tuple[str, list[bool]]]:
    """The rows of the permission table: what may be done, and for each role whether it may."""
    rows = ((deed(permission), [may(role, permission) for role in Role]) for permission in Permission)
    return [(words[:1].upper() + words[1:], allowed) for words, allowed in rows]
