"""The headers that every response carries, whatever made it (SEC-S14)."""

from litestar.datastructures import MutableScopeHeaders
from litestar.types import Message, Scope

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
ALWAYS = {
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
NO_STORE = "no-store"


def securing(*, https: bool) -> "SecureHeaders":
    """The hook that adds the headers; over TLS also HSTS."""
    return SecureHeaders(
        {**ALWAYS, "Strict-Transport-Security": "max-age=31536000; includeSubDomains"} if https else ALWAYS
    )


class SecureHeaders:
    """Adds the headers as a response starts. It runs for error responses and unknown addresses too."""

    def __init__(self, always: dict[str, str]) -> None:
        self.always = always

    async def __call__(self, message: Message, _scope: Scope) -> None:
        if message["type"] != "http.response.start":
            return
        headers = MutableScopeHeaders.from_message(message)
        for name, value in self.always.items():
            headers.setdefault(name, value)
        # Whatever does not say otherwise may hold somebody's data: no copy on a shared computer.
        headers.setdefault("Cache-Control", NO_STORE)
