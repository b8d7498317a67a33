"""Reads a scenario file strictly: a key that nobody knows, or a value of another type, is an error, never skipped."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from engine.adapters.payments.registry import PLATFORMS
from engine.core.errors import InvalidDocument, Mistake
from engine.services.scenarios import format as table
from engine.services.scenarios.format import Keys, Scenario


def load(path: Path, platforms: frozenset[str]) -> Scenario:
    """Read a file. Raises InvalidDocument with every mistake in it."""
    try:
        tree = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise InvalidDocument([Mistake("", f"cannot be read: {error}")]) from error
    return read(tree, path, platforms)


def read(tree: Any, path: Path, platforms: frozenset[str]) -> Scenario:
    """A file's content; `path` is beside which further files lie. Raises InvalidDocument with every mistake in it."""
    mistakes = list(_keys("", tree, table.TOP, required=("inputs", "expect")))
    if mistakes:
        raise InvalidDocument(mistakes)
    setup, inputs, expect = tree.get("setup", {}), tree["inputs"], tree["expect"]
    mistakes = [*_setup(setup, platforms), *_inputs(inputs, setup, platforms), *_expect(expect, inputs)]
    if mistakes:
        raise InvalidDocument(mistakes)
    ordered = sorted(enumerate(inputs), key=lambda pair: (pair[1]["at"], pair[0]))
    return Scenario(path, setup, tuple({**row, "index": index} for index, row in ordered), expect)


def _setup(setup: Mapping[str, Any], platforms: frozenset[str]) -> Iterator[Mistake]:
    yield from (found := list(_keys("setup", setup, table.SETUP)))
    if found:
        return
    for name, keys, required in (
        ("conversations", table.CONVERSATION, ("contact",)),
        ("outbox", table.OUTBOX, ("id", "contact", "action")),
        ("inbound", table.INBOUND, ("id", "contact")),
        ("more_channels", table.CHANNEL, ("kind",)),
    ):
        for place, row in _rows(f"setup.{name}", setup.get(name)):
            yield from _keys(place, row, keys, required=required)
    if setup.get("channel"):
        yield from _keys("setup.channel", setup["channel"], table.CHANNEL, required=("kind",))
    for place, row in _rows("setup.conversations", setup.get("conversations")):
        if isinstance(row, dict):
            yield from _keys(f"{place}.identities", row.get("identities") or {}, table.IDENTITIES)
            for name, spread in row.items():
                if isinstance(spread, list) and not (len(spread) == 2 and all(_is(v, table.NUMBER) for v in spread)):
                    yield Mistake(f"{place}.{name}", "must be seconds, or two of them")
    for place, row in _rows("setup.outbox", setup.get("outbox")):
        if isinstance(row, dict):
            yield from _one_of(f"{place}.status", row.get("status", "pending"), table.OUTBOX_STATUSES)
    for place, row in _rows("setup.sources", setup.get("sources")):
        if not isinstance(row, dict) or row.get("platform") not in platforms:
            yield Mistake(f"{place}.platform", f"must be one of {', '.join(sorted(platforms))}")
    for place, row in _rows("setup.faults", setup.get("faults")):
        yield from _fault(place, row)


def _fault(place: str, row: object) -> Iterator[Mistake]:
    what = row.get("what") if isinstance(row, dict) else None
    if not isinstance(row, dict) or not isinstance(what, str) or what not in table.FAULTS:
        yield Mistake(f"{place}.what", f"must be one of {', '.join(table.FAULTS)}")
        return
    yield from _keys(place, row, table.FAULTS[what])
    if what in table.LASTING and not {"until", "seconds"} & set(row):
        yield Mistake(place, "needs its end: until, or seconds")
    if what == "no_transcription_service" and row.get("at", 0) != 0:
        yield Mistake(f"{place}.at", "must be 0: an installation has a service, or it has none")


def _inputs(inputs: object, setup: Mapping[str, Any], platforms: frozenset[str]) -> Iterator[Mistake]:
    known = (*table.CHANNEL_KINDS, *table.OTHER_KINDS, *sorted(platforms))
    owned = {row.get("platform") for _, row in _rows("", setup.get("sources")) if isinstance(row, dict)}
    for place, row in _rows("inputs", inputs):
        yield from (found := list(_keys(place, row, table.INPUT, required=("at", "kind"))))
        if found:
            continue
        kind = row["kind"]
        if kind not in known:
            yield Mistake(f"{place}.kind", f"nobody knows {kind!r}")
        elif kind in platforms and kind not in owned:
            yield Mistake(f"{place}.kind", f"setup.sources has no {kind}")
        if row.get("fetch") is not None:
            yield from _fetch(f"{place}.fetch", row["fetch"], asked=kind in platforms and _is_asked(kind))
        if row.get("generate") is not None:
            yield from _keys(f"{place}.generate", row["generate"], table.GENERATE, required=("field", "bytes"))
        if row.get("fault") is not None:
            yield from _keys(f"{place}.fault", row["fault"], table.INPUT_FAULT, required=("on",))
        if kind in table.PAYLOADS:
            required = table.REQUIRED.get(kind, ())
            yield from _keys(f"{place}.payload", row.get("payload") or {}, table.PAYLOADS[kind], required=required)
        if kind == "restart":
            for name in (row.get("payload") or {}).get("what") or ():
                yield from _one_of(f"{place}.payload.what", name, table.PROCESSES)


def _is_asked(platform: str) -> bool:
    return PLATFORMS[platform].fetch is not None


def _fetch(place: str, answers: object, *, asked: bool) -> Iterator[Mistake]:
    """What a platform answers when it is asked about a notice: an object, or several of them."""
    if not asked:
        yield Mistake(place, "this kind of sender is never asked back")
    for answer in answers if isinstance(answers, list) else [answers]:
        if not isinstance(answer, dict):
            yield Mistake(place, "must be an object, or a list of objects")
        elif not _is(answer.get("http", 200), (int,)) and answer["http"] not in table.UNANSWERED:
            yield Mistake(f"{place}.http", f"must be a status, or one of {', '.join(table.UNANSWERED)}")


def _expect(expect: Mapping[str, Any], inputs: list[Any]) -> Iterator[Mistake]:
    yield from (found := list(_keys("expect", expect, table.EXPECT)))
    if found:
        return
    for place, row in _rows("expect.conversations", expect.get("conversations")):
        yield from _keys(place, row, table.EXPECTED_CONVERSATION)
        if isinstance(row, dict) and not {"contact", "count"} & set(row):
            yield Mistake(place, "needs a contact, or a count")
    for place, row in _rows("expect.log", expect.get("log")):
        if not isinstance(row, dict) or not row:
            yield Mistake(place, "must be an object with at least one key")
        elif not _is(row.get("times", 1), (int,)) or row.get("times", 1) < 0:
            yield Mistake(f"{place}.times", "must be a whole number, 0 or more")
    for name in ("actions", "texts"):
        for place, row in _rows(f"expect.{name}", expect.get(name)):
            if not isinstance(row, str):
                yield Mistake(place, "must be a text")
    for place, row in _rows("expect.http", expect.get("http")):
        if not _is(row, (int, table.NONE)):
            yield Mistake(place, "must be a status, or null")
    if len(expect.get("http", inputs)) != len(inputs):
        yield Mistake("expect.http", f"must have one entry for each of the {len(inputs)} inputs")


def _keys(place: str, row: object, keys: Keys, *, required: Iterable[str] = ()) -> Iterator[Mistake]:
    if not isinstance(row, dict):
        yield Mistake(place, "must be an object")
        return
    for name in row:
        where = f"{place}.{name}".lstrip(".")
        if name not in keys:
            yield Mistake(where, "is not a key of the format")
        elif not _is(row[name], keys[name]):
            yield Mistake(where, "has the wrong type")
    for name in required:
        if name not in row:
            yield Mistake(f"{place}.{name}".lstrip("."), "is missing")


def _rows(place: str, rows: object) -> Iterator[tuple[str, Any]]:
    for index, row in enumerate(rows if isinstance(rows, list) else []):
        yield f"{place}[{index}]", row


def _one_of(place: str, value: object, allowed: tuple[str, ...]) -> Iterator[Mistake]:
    if value not in allowed:
        yield Mistake(place, f"must be one of {', '.join(allowed)}")


def _is(value: object, kinds: tuple[type, ...]) -> bool:
    """Whether the value has one of the types; a bool is no number here."""
    return isinstance(value, kinds) and (not isinstance(value, bool) or bool in kinds)
