"""Amounts of money as platforms write them, in whole cents."""

from decimal import Decimal

_MOST = 1 << 53


def cents(value: object) -> int | None:
    """Cents out of reais or any other currency with hundredths (`197.0`, `"197.00"`); None when there is no amount."""
    return _counted(value, 100)


def whole_cents(value: object) -> int | None:
    """Cents that came as cents (`19700`, `"19700"`)."""
    return _counted(value, 1)


def _counted(value: object, factor: int) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        amount = Decimal(str(value)) * factor
        # Compared before it becomes a whole number: 1E+900000 is a short text and an integer of a megabyte.
        return int(amount.to_integral_value()) if 0 <= amount < _MOST else None
    except (ArithmeticError, ValueError):  # no number, one beyond the exponents or the digits that there are
        return None
