"""Looking for a telephone number in any spelling, whole or in part; numbers are compared by their canonical digits."""

import re

from engine.core import identity

__all__ = ["sought"]

LEAST, WHOLE = 3, 10
_WRITTEN = re.compile(r"\+?[\d\s().\-/]+", re.ASCII)


def sought(words: str, *, whole: bool) -> tuple[str, ...]:
    """Patterns (`%` is anything), any of which the canonical digits of a number shall fit; none when it is no number.

    With `whole` a part of a number finds nobody: only who knows all of it already learns whose it is.
    """
    written = words.strip()
    digits = "".join(c for c in written if c.isascii() and c.isdigit())
    if not _WRITTEN.fullmatch(written) or len(digits) < LEAST:
        return ()
    canonical = identity.key(written)
    if whole:
        known = identity.is_brazilian(canonical) or (written.startswith("+") and len(digits) >= WHOLE)
        return (canonical,) if known else ()
    found = [digits, *([canonical] if len(digits) >= WHOLE else [])]
    local = digits.removeprefix(identity.BRAZIL) if len(digits) > LEAST + 2 else digits
    # An area code and the beginning of a mobile that is spelled with eight digits.
    found += [f"{d[:2]}9{d[2:]}" for d in dict.fromkeys((digits, local)) if len(d) > LEAST and d[2] in "6789"]
    return tuple(f"%{part}%" for part in dict.fromkeys(found))
