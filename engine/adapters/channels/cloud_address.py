"""Where a Cloud API channel's Graph API lies, and the header that lets us in."""

import re
from collections.abc import Mapping

from engine.adapters.channels.protocol import ChannelConfig

DEFAULT_BASE_URL = "https://graph.facebook.com"
API_VERSION = "v23.0"
_ENDS_IN_VERSION = re.compile(r"/v\d+(\.\d+)?$")


def root(config: ChannelConfig) -> str:
    """The address of the API with its version, as an admin wrote it or the platform's own."""
    base = (config.settings.get("base_url") or DEFAULT_BASE_URL).rstrip("/")
    return base if _ENDS_IN_VERSION.search(base) else f"{base}/{API_VERSION}"


def bearer(config: ChannelConfig) -> Mapping[str, str]:
    """The header that lets us in."""
    return {"Authorization": f"Bearer {config.secrets.get('access_token', '')}"}
