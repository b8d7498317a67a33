"""Every payment platform by its name: a new one is one file and one line here."""

from collections.abc import Mapping

from engine.adapters.payments.hotmart import Hotmart
from engine.adapters.payments.protocol import Platform
from engine.core.errors import NotFound

PLATFORMS: Mapping[str, Platform] = {platform.name: platform for platform in (Hotmart(),)}


def platform(name: str) -> Platform:
    """The platform of a name. Raises NotFound."""
    try:
        return PLATFORMS[name]
    except KeyError:
        raise NotFound("payment platform", name) from None
