"""One call to the Evolution gateway: its address, its key, and the instance's name at the end of the path."""

from collections.abc import Mapping
from urllib.parse import quote, urlencode

from engine.adapters.channels.protocol import ChannelConfig
from engine.adapters.http import HttpRequest


def post(config: ChannelConfig, path: str, body: Mapping[str, object]) -> HttpRequest:
    """Something to do for the instance, `message/sendText`."""
    return HttpRequest(method="POST", url=_url(config, path), headers=_key(config), json=body, trusted=True)


def get(config: ChannelConfig, path: str, **query: str) -> HttpRequest:
    """Something to know of the instance, `instance/connectionState`."""
    asked = f"?{urlencode(query)}" if query else ""
    return HttpRequest(method="GET", url=_url(config, path) + asked, headers=_key(config), trusted=True)


def post_globally(config: ChannelConfig, path: str, body: Mapping[str, object]) -> HttpRequest:
    """Something to do for the gateway itself, `instance/create`."""
    return HttpRequest(method="POST", url=f"{_base(config)}/{path}", headers=_key(config), json=body, trusted=True)


def _url(config: ChannelConfig, path: str) -> str:
    # Not quoted, a name with `?` or `/` in it would lead elsewhere on the gateway.
    return f"{_base(config)}/{path}/{quote(config.settings.get('instance', ''), safe='')}"


def _base(config: ChannelConfig) -> str:
    return config.settings.get("base_url", "").rstrip("/")


def _key(config: ChannelConfig) -> Mapping[str, str]:
    return {"apikey": config.secrets.get("api_key", "")}
