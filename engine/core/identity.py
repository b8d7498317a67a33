"""Telephone numbers as names of people: two spellings of one number are one person (R70).

The Brazilian rule is implemented here by the numbering plan, because the core has no library: an area code (DDD) of a
fixed list, then a landline of eight digits that begins with 2 to 5, or a mobile of nine digits that begins with 9. Until
2016 mobiles had eight digits and began with 6 to 9, and WhatsApp still knows many people by that older spelling; the
canonical key always has the ninth digit. A landline never gets one, so it can't be mistaken for a mobile. Numbers of
other countries, short numbers and 0800 lines stay as they are. A number that comes without a country code and fits
the Brazilian plan is taken for Brazilian; one that is written with a leading `+` says its country itself.
"""

import re

BRAZIL = "55"
_SECOND_DIGITS = {
    "1": "123456789",
    "2": "12478",
    "3": "1234578",
    "4": "123456789",
    "5": "1345",
    "6": "123456789",
    "7": "134579",
    "8": "123456789",
    "9": "123456789",
}
_AREAS = frozenset(first + second for first, seconds in _SECOND_DIGITS.items() for second in seconds)
_PHONE = re.compile(r"\+?[\d\s().\-/]+", re.ASCII)
_DOT = "•"


def key(phone: str) -> str:
    """The canonical digits by which two spellings compare; what is not a telephone number comes back as it is."""
    return _read(phone)[0]


def national(phone: str) -> str:
    """The digits as spelled, without `+`, Brazil's country code and the trunk zero.

    Their count tells the spellings with and without the ninth digit apart.
    """
    _, spelled = _read(phone)
    return spelled


def same(one: str, other: str) -> bool:
    """Whether two spellings name one line."""
    return key(one) == key(other)


def variants(phone: str) -> tuple[str, ...]:
    """Every way in which a gateway may spell the number, the canonical one first."""
    canonical = key(phone)
    if _is_mobile(canonical) and canonical[5] in "6789":
        return canonical, canonical[:4] + canonical[5:]
    return (canonical,)


def display(phone: str) -> str:
    """For people: `+55 11 90000-0142`, `+55 41 3333-0001`; other countries keep their digits behind a `+`."""
    digits = key(phone)
    if not digits.isdigit():
        return phone
    if is_brazilian(digits):
        line = digits[4:]
        return f"+{BRAZIL} {digits[2:4]} {line[:-4]}-{line[-4:]}"
    return f"+{digits}" if len(digits) >= 10 and not digits.startswith("0") else digits


def mask(phone: str) -> str:
    """For logs and for those who may not see it: area code and the last four digits at most."""
    digits = key(phone)
    if not digits.isdigit():
        return _DOT * 4
    if is_brazilian(digits):
        return f"+{BRAZIL} {digits[2:4]} {_DOT * (len(digits) - 8)}-{digits[-4:]}"
    return _DOT * max(len(digits) - 4, 4) + digits[-4:] if len(digits) > 6 else _DOT * 4


def _read(phone: str) -> tuple[str, str]:
    """(canonical key, national digits as spelled)."""
    written = phone.strip()
    if not _PHONE.fullmatch(written) or not any(c.isdigit() for c in written):
        return phone, phone
    digits = "".join(c for c in written if c.isdigit())
    abroad = written.startswith("+")
    if digits.startswith("00") and len(digits) > 11:
        digits, abroad = digits[2:], True
    if digits.startswith(BRAZIL) and len(digits) in (12, 13) and (line := _line(digits[2:])) is not None:
        return BRAZIL + line, digits[2:]
    if not abroad:
        spelled = digits.removeprefix("0") if len(digits) in (11, 12) and digits.startswith("0") else digits
        if (line := _line(spelled)) is not None:
            return BRAZIL + line, spelled
    return digits, digits


def _line(spelled: str) -> str | None:
    """Area code and line with the ninth digit where it belongs, or None when it is no Brazilian line."""
    area, line = spelled[:2], spelled[2:]
    if area not in _AREAS:
        return None
    if len(line) == 9 and line.startswith("9"):
        return area + line
    if len(line) == 8 and line[0] in "6789":
        return f"{area}9{line}"
    return area + line if len(line) == 8 and line[0] in "2345" else None


def is_brazilian(digits: str) -> bool:
    return digits.startswith(BRAZIL) and len(digits) in (12, 13) and _line(digits[2:]) == digits[2:]


def _is_mobile(digits: str) -> bool:
    return is_brazilian(digits) and len(digits) == 13
