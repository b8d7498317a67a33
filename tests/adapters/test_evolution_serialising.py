"""The gateway writes the same value in two ways: copied objects and untouched ones. Both must mean the same."""

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.adapters.channels.evolution import Evolution
from engine.adapters.channels.protocol import ChannelConfig
from engine.core.inbound import Message
from tests.gateway_reading import upsert
from tests.payload_files import ARRIVAL, load, names, plain

EXPECTED = json.loads((Path(__file__).parent / "expected_items.json").read_text(encoding="utf-8"))
BODIES = names("evolution/in")
LONGS = {"messageTimestamp", "fileLength", "timestampMs"}
BYTES = {"mediaKey", "encPayload", "encIv", "fileSha256", "messageSecret"}
TYPES = {"REVOKE": 0, "MESSAGE_EDIT": 14}
STATUSES = {"ERROR": 0, "PENDING": 1, "SERVER_ACK": 2, "DELIVERY_ACK": 3, "READ": 4, "PLAYED": 5}
ENUMS = {"type": TYPES, "status": STATUSES}


def number_of(value: Any) -> int:
    if isinstance(value, dict):
        return (int(value["high"]) << 32) + (int(value["low"]) & 0xFFFF_FFFF)
    return int(value)


def bytes_of(value: Any) -> bytes:
    return bytes(value.values()) if isinstance(value, dict) else base64.b64decode(value)


def copied(key: str, value: Any) -> Any:
    """As in a copied object: halves, maps of bytes, numbers for enumerations."""
    if key in LONGS:
        whole = number_of(value)
        low = whole & 0xFFFF_FFFF
        return {"low": low - (1 << 32) if low >= 1 << 31 else low, "high": whole >> 32, "unsigned": True}
    if key in BYTES:
        return {str(place): byte for place, byte in enumerate(bytes_of(value))}
    return ENUMS.get(key, {}).get(value, value) if isinstance(value, str) else value


def untouched(key: str, value: Any) -> Any:
    """As in an object that is passed on as it is: texts, base64, names."""
    if key in LONGS:
        return str(number_of(value))
    if key in BYTES:
        return base64.b64encode(bytes_of(value)).decode()
    known = {number: name for name, number in ENUMS.get(key, {}).items()}
    return known.get(value, value) if isinstance(value, int) and not isinstance(value, bool) else value


def rewritten(value: Any, how: Callable[[str, Any], Any], key: str = "") -> Any:
    if key in LONGS | BYTES or not isinstance(value, dict | list):
        return how(key, value)
    if isinstance(value, list):
        return [rewritten(inner, how, key) for inner in value]
    return {name: rewritten(inner, how, name) for name, inner in value.items()}


@pytest.mark.parametrize("how", [copied, untouched])
@pytest.mark.parametrize("name", BODIES)
def test_a_body_means_the_same_in_both_ways(name: str, how: Callable[[str, Any], Any]) -> None:
    body = load(name)
    body["data"] = rewritten(body["data"], how)
    config = ChannelConfig(1, "evolution", "canal", {"instance": "loja-teste"})
    assert [plain(item) for item in Evolution().parse(config, body, ARRIVAL).items] == EXPECTED[name]


def test_the_bodies_have_something_to_write_in_two_ways() -> None:
    """Else the test above would say nothing."""
    for how in (copied, untouched):
        changed = [name for name in BODIES if rewritten(load(name)["data"], how) != load(name)["data"]]
        assert len(changed) > 20 if how is copied else len(changed) > 5


@given(st.integers(0, (1 << 40) - 1))
def test_the_size_of_a_file_is_the_same_number_in_every_form(size: int) -> None:
    for form in (size, str(size), copied("fileLength", size)):
        item = upsert({"documentMessage": {"fileName": "a.pdf", "fileLength": form}})
        assert isinstance(item, Message)
        assert item.media["bytes"] == size
