"""The files that pages load: our own and htmx, read once, each with the hash that its address carries."""

import gzip
import hashlib
import importlib.util
import mimetypes
from dataclasses import dataclass
from functools import cache
from pathlib import Path

STATIC = Path(__file__).parent.parent / "static"
VENDORED = {"htmx.js": "htmx-2.min.js"}
"""Name in /vendor to the file inside django-htmx, which carries htmx without Node; Django itself is not installed."""


@dataclass(frozen=True, slots=True)
class Asset:
    """One file: its bytes, its media type and the first characters of its SHA-256."""

    content: bytes
    media_type: str
    sha: str
    packed: bytes
    """The content compressed, for browsers that take it."""


def _read(path: Path) -> Asset:
    content = path.read_bytes()
    media_type = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return Asset(content, media_type, hashlib.sha256(content).hexdigest()[:12], gzip.compress(content, 9, mtime=0))


@cache
def assets() -> dict[str, Asset]:
    """Every asset by the path of its address, without the leading slash."""
    spec = importlib.util.find_spec("django_htmx")
    if spec is None or spec.origin is None:  # a broken installation: say which part is missing
        raise FileNotFoundError("the package django-htmx, which carries htmx, is not installed")
    vendor = Path(spec.origin).parent / "static" / "django_htmx"
    found = {f"vendor/{name}": _read(vendor / file) for name, file in VENDORED.items()}
    for path in sorted(STATIC.rglob("*")):
        if path.is_file():
            found[f"static/{path.relative_to(STATIC).as_posix()}"] = _read(path)
    return found


def address(path: str) -> str:
    """The address of an asset with its hash: it may be cached for ever."""
    return f"/{path}?v={assets()[path].sha}"
