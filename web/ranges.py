"""Which part of a file a browser asks for: one range of bytes, as players do who jump to a place in a recording."""

import re

__all__ = ["Unsatisfiable", "wanted"]

_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})", re.ASCII)


class Unsatisfiable(Exception):
    """The part lies behind the end."""


def wanted(header: str, size: int) -> tuple[int, int] | None:
    """First and last byte, both included; None for the whole file, also where the header says nothing that we know.

    Raises Unsatisfiable.
    """
    found = _RANGE.fullmatch(header.strip())
    if found is None or found[0] == "bytes=-":
        return None
    begin, end = found.groups()
    if not begin:
        first, last = max(0, size - int(end)), size - 1
    else:
        first, last = int(begin), min(int(end) if end else size - 1, size - 1)
        if end and int(end) < first:
            return None
    if first >= size or first > last:
        raise Unsatisfiable
    return first, last
