"""Who acts, and what each role of the team may do. Whatever is not listed is refused (SEC-S11)."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Actor", "Permission", "Role", "may"]


class Role(StrEnum):
    """The roles, from the one that only looks to the one that does everything."""

    READONLY = "readonly"
    SUPERVISOR = "supervisor"
    MARKETER = "marketer"
    PUBLISHER = "publisher"
    ADMIN = "admin"


class Permission(StrEnum):
    """What somebody may do."""

    VIEW = "view"
    CONVERSE = "converse"
    """Pause the robot, take a conversation over, answer, move it by hand."""
    APPROVE = "approve"
    PHONES = "phones"
    """See whole phone numbers."""
    REPLIES = "replies"
    """Write the ready replies that the team chooses from."""
    EDIT = "edit"
    """Change drafts and simulate."""
    PUBLISH = "publish"
    ADMINISTER = "administer"
    """Channels, payments, people, secrets, retention, erasing."""


_EVERYBODY = frozenset({Permission.VIEW})
_PEOPLE = frozenset({Permission.CONVERSE, Permission.APPROVE, Permission.PHONES, Permission.REPLIES})
_TABLE: Mapping[Role, frozenset[Permission]] = {
    Role.READONLY: _EVERYBODY,
    Role.SUPERVISOR: _EVERYBODY | _PEOPLE,
    Role.MARKETER: _EVERYBODY | {Permission.EDIT, Permission.REPLIES},
    Role.PUBLISHER: _EVERYBODY | _PEOPLE | {Permission.EDIT, Permission.PUBLISH},
    Role.ADMIN: frozenset(Permission),
}


def may(role: str, permission: Permission) -> bool:
    """Whether the role has the permission; an unknown role has none."""
    return role in list(Role) and permission in _TABLE[Role(role)]


@dataclass(frozen=True, slots=True)
class Actor:
    """Who does something, for the audit log: a name as people know it, and the address it came from."""

    who: str
    address: str = ""
