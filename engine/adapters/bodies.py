"""Bytes of a webhook into one JSON object, or a plain reason why not; and that object made safe to keep."""

import json
import math
import re
from collections.abc import Collection, Mapping
from typing import Any

import msgspec

from engine.core.errors import BodyTooLarge, UnreadableBody

MAX_DEPTH = 32
_BOM = b"\xef\xbb\xbf"
_WHOLE = 1 << 63
_SECRETS = re.compile(r'("(?:api_?key|hottok|secret|token|hash)"\s*:\s*")[^"]*', re.IGNORECASE)
"""What the sources put into their bodies to prove themselves, in JSON that may be cut anywhere."""
_REPLACEMENT = "\ufffd"


def decode(raw: bytes, limit: int) -> dict[str, Any]:
    """The object in `raw`, which may be at most `limit` bytes (R20, R35).

    Half of a surrogate pair, which some senders cut out of an emoji, becomes U+FFFD: the rest of the message is good.
    Raises BodyTooLarge, and UnreadableBody for everything that is not one finite JSON object of at most 32 levels.
    """
    if len(raw) > limit:
        raise BodyTooLarge(limit)
    text = raw.removeprefix(_BOM)
    try:
        body = msgspec.json.decode(text)
    except RecursionError as error:
        raise UnreadableBody("the body is nested too deep") from error
    except (msgspec.DecodeError, ValueError):
        body = _with_halves_replaced(text)
    if not isinstance(body, dict):
        raise UnreadableBody("the body is not a JSON object")
    if _deeper_than(body, MAX_DEPTH):
        raise UnreadableBody("the body is nested too deep")
    return body


def object_in(raw: bytes, limit: int) -> dict[str, Any] | None:
    """The object in somebody's answer; None for HTML, cut JSON and everything else that proves nothing."""
    try:
        return decode(raw, limit)
    except UnreadableBody:
        return None


def storable(body: Mapping[str, object], without: Collection[str] = ()) -> tuple[dict[str, Any], tuple[str, ...]]:
    """A copy that any database takes, and which of the `without` keys were taken out of it.

    NUL becomes U+FFFD and a whole number of more than 64 bits its text (R35).
    The keys are taken out at any depth and in any case: they hold secrets of the sender (S2).
    """
    found: set[str] = set()
    names = {name.lower() for name in without}
    copy: dict[str, Any] = _copy(body, names, found)
    return copy, tuple(sorted(found))


def beginning(raw: bytes, length: int) -> str:
    """The first bytes of a body that cannot be read, as a text that any database takes, without the senders' secrets."""
    text = raw[:length].decode("utf-8", "replace").replace("\x00", _REPLACEMENT)
    return _SECRETS.sub(r"\1***", text)


def written(kept: Mapping[str, object]) -> str:
    """A storable body as JSON text."""
    return msgspec.json.encode(kept).decode()


def _copy(value: object, names: Collection[str], found: set[str]) -> Any:
    if isinstance(value, str):
        return value.replace("\x00", _REPLACEMENT)
    if isinstance(value, dict | Mapping):  # the quick question first: nearly every table is a dict
        if names:
            found.update(key for key in value if key.lower() in names)
            value = {key: entry for key, entry in value.items() if key.lower() not in names}
        return {_copy(k, names, found): _copy(v, names, found) for k, v in value.items()}
    if isinstance(value, list):
        return [_copy(item, names, found) for item in value]
    if isinstance(value, int) and not -_WHOLE <= value < _WHOLE:
        return str(value)
    return value


def _with_halves_replaced(text: bytes) -> object:
    """Read again with the reader that takes half surrogates; whatever else was wrong, it must refuse too."""
    try:
        body = json.loads(text.decode(), parse_constant=_refuse, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise UnreadableBody("the body is not JSON") from error
    if _deeper_than(body, MAX_DEPTH):
        raise UnreadableBody("the body is nested too deep")
    return _replace_halves(body)


def _replace_halves(value: object) -> object:
    if isinstance(value, str):
        return "".join(_REPLACEMENT if "\ud800" <= char <= "\udfff" else char for char in value)
    if isinstance(value, dict):
        return {_replace_halves(k): _replace_halves(v) for k, v in value.items()}
    if isinstance(value, list):
        return [_replace_halves(item) for item in value]
    return value


def _refuse(constant: str) -> float:
    raise ValueError(constant)


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(digits)
    return number


def _deeper_than(body: object, limit: int) -> bool:
    """Whether containers lie in each other more than `limit` times; without recursion, so that depth cannot harm."""
    level: list[object] = [body]
    for _ in range(limit):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer if isinstance(outer, list) else ())
            if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True
