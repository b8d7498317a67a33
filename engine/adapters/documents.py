"""A flow file's bytes to a tree: JSON or YAML, nothing executable, every refusal with its place."""

import json
import math
from pathlib import Path

import yaml

from engine.core.document_messages import mistake
from engine.core.errors import InvalidDocument
from engine.notation import load

MAX_BYTES = 8 * 1024 * 1024
"""Twenty thousand transitions are about four megabytes."""
LONGEST_NUMBER = 20
"""Digits and sign of a whole number of 64 bits; no field of a flow takes a larger one."""


def read_file(path: Path) -> object:
    """The tree of a file; a mistake's place is `line:column`. Raises InvalidDocument, also when the file cannot be opened."""
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except (OSError, ValueError):  # ValueError: a name with NUL in it
        raise _refusal("file_unreadable", "") from None
    return read_bytes(raw)


def read_bytes(raw: bytes) -> object:
    """The tree of a document in JSON or YAML; JSON is what begins with a brace. Raises InvalidDocument."""
    if len(raw) > MAX_BYTES:
        raise _refusal("file_too_large", "", limit=MAX_BYTES)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _refusal("file_not_utf8", f"byte {error.start}") from None
    if not text.strip():
        raise _refusal("file_empty", "")
    if text.lstrip().startswith("{"):
        return _json(text)
    return _yaml(text)


class _TwiceError(ValueError):
    """A key that an object has twice."""


def _json(text: str) -> object:
    def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found: dict[str, object] = {}
        for key, value in pairs:
            if key in found:
                raise _TwiceError(key)
            found[key] = value
        return found

    def constant(name: str) -> object:
        raise _ConstantError(name)

    def finite(digits: str) -> float:
        if not math.isfinite(number := float(digits)):
            raise _ConstantError(digits[:40])
        return number

    def whole(digits: str) -> int:
        if len(digits) > LONGEST_NUMBER:
            raise _ConstantError(f"{digits[:20]}…")
        return int(digits)

    try:
        tree: object = json.loads(
            text, object_pairs_hook=once, parse_constant=constant, parse_float=finite, parse_int=whole
        )
    except _TwiceError as error:
        raise _refusal("duplicate_key", "", key=str(error)) from None
    except _ConstantError as error:
        raise _refusal("file_not_json", "", reason=str(error)) from None
    except json.JSONDecodeError as error:
        # A flow mapping of YAML begins with a brace too.
        try:
            return load(text)
        except (yaml.YAMLError, RecursionError, ValueError):
            raise _refusal("file_not_json", _place(error.lineno, error.colno), reason=error.msg) from None
    except RecursionError:
        raise _refusal("too_deep", "") from None
    return tree


class _ConstantError(ValueError):
    """NaN or an infinity, which JSON does not have, or a number that no computer word holds."""


def _yaml(text: str) -> object:
    try:
        return load(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = _place(mark.line + 1, mark.column + 1) if mark is not None else ""
        raise _refusal("file_not_yaml", place, reason=error.problem or "?") from None
    except (yaml.YAMLError, ValueError) as error:
        raise _refusal("file_not_yaml", "", reason=str(error).split("\n", 1)[0]) from None
    except RecursionError:
        raise _refusal("too_deep", "") from None


def _place(line: int, column: int) -> str:
    return f"{line}:{column}"


def _refusal(code: str, place: str, **facts: object) -> InvalidDocument:
    return InvalidDocument([mistake(place, code, facts)])
