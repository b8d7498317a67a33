"""Whether our own page asked for a change: where a request came from (SEC-S13). The token itself is the session's."""

from urllib.parse import urlsplit

__all__ = ["FIELD", "HEADER", "SAFE_METHODS", "same_site"]

FIELD = "_csrf"
HEADER = "x-csrf-token"
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


def same_site(*, fetch_site: str | None, origin: str | None, host: str | None) -> bool:
    """Whether the browser says that the request comes from our own page. No word at all is no objection: then only
    the token proves it.
    """
    if fetch_site is not None and fetch_site not in ("same-origin", "none"):
        return False
    if origin is not None:
        return host is not None and urlsplit(origin).netloc == host
    return True
