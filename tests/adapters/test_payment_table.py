"""The table of what each payment platform can do is generated, and current."""

from pathlib import Path

import pytest

from engine.adapters.payments.registry import PLATFORMS
from engine.adapters.payments.table import filled, keys, table

PAGE = Path(__file__).parents[2] / "docs" / "payments.md"


def test_the_page_is_what_the_code_says() -> None:
    """Otherwise: python -m engine.adapters.payments.table docs/payments.md."""
    page = PAGE.read_text(encoding="utf-8")
    assert filled(page) == page


def test_every_platform_and_each_of_its_keys_has_a_line() -> None:
    lines = table().splitlines()[2:]
    assert [line.split(" | ")[1] for line in lines] == [f"`{name}`" for name in PLATFORMS]
    assert len(keys().splitlines()) == 2 + sum(len(platform.keys) for platform in PLATFORMS.values())


def test_what_nobody_confirmed_is_marked() -> None:
    marked = {name for name, line in zip(PLATFORMS, table().splitlines()[2:], strict=True) if "UNVERIFIED" in line}
    assert {"pagarme", "perfectpay", "hotmart", "ticto", "stripe", "mercadopago"} <= marked
    assert marked == {name for name, platform in PLATFORMS.items() if platform.unverified}


def test_a_page_without_a_place_for_it_is_left_alone() -> None:
    with pytest.raises(ValueError, match="no place"):
        filled("# Payments")
