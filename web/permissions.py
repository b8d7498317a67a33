"""What a route asks of whoever calls it. Every route declares one thing; nothing is allowed by silence (SEC-S11)."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import TypeAlias

from litestar import Litestar
from litestar.exceptions import ImproperlyConfiguredException
from litestar.handlers import HTTPRouteHandler

from engine.core.permissions import Permission

__all__ = [
    "BEFORE_FACTOR", "FRESH", "KEPT", "KEYED", "OPT", "Access", "Door", "Fresh", "Permission", "declared", "handlers",
    "require_declarations",
]  # fmt: skip

OPT = "permission"
FRESH = "fresh"
"""A route that asks for the password of the last ten minutes declares `fresh=Fresh.…`; the door does the rest."""
KEPT = "kept"
"""Whether a form that an ended session could not send may wait for the sign-in; `kept=False` where it holds a secret."""
BEFORE_FACTOR = "before_factor"
"""Whether somebody who still lacks a required second factor gets there: `before_factor=True`."""
KEYED = "keyed"
"""A route that reads only, and that a wall screen may open with a key in the address instead of a session."""


class Door(StrEnum):
    """What needs no role: it is proved in another way or needs no proof."""

    PUBLIC = "public"
    MACHINE = "machine"
    """Proved by the handler: a secret address, a signature or a bearer token; no cookie counts."""
    SIGNED_IN = "signed_in"


class Fresh(StrEnum):
    """When a change asks for the password again."""

    ALWAYS = "always"
    """Secrets, roles, tokens, what erases or takes away people's data."""
    PUBLISHING = "publishing"
    """Where the installation says so."""


Access: TypeAlias = Door | Permission


def declared(opt: Mapping[str, object]) -> Access | None:
    """What a route asks for, None when it says nothing."""
    value = opt.get(OPT)
    return value if isinstance(value, Door | Permission) else None


def handlers(app: Litestar) -> Iterable[tuple[str, HTTPRouteHandler]]:
    """Every handler with its address, without the answers to OPTIONS that the framework adds."""
    for route in app.routes:
        for handler in getattr(route, "route_handlers", ()):
            if isinstance(handler, HTTPRouteHandler) and handler.http_methods != {"OPTIONS"}:
                yield route.path, handler


def require_declarations(app: Litestar) -> None:
    """Refuse to start while a route declares nothing."""
    missing = sorted(f"{path} ({handler})" for path, handler in handlers(app) if declared(handler.opt) is None)
    if missing:
        raise ImproperlyConfiguredException(f"no permission is declared for {', '.join(missing)}")
