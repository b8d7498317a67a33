"""One input of a scenario, done for real: a signed post, a restart, time passing, rows that appear."""

import hashlib
import hmac
import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from engine.adapters.channels.evolution import PROOF_HEADER
from engine.adapters.payments.protocol import Notice
from engine.core.errors import InvalidDocument, Mistake, NotFound
from engine.services import receive, receive_event
from engine.services.channels import ChannelRecord
from engine.services.scenarios import clicks, parsing, world
from engine.services.scenarios.drive import Driver
from engine.services.scenarios.files import said
from engine.services.scenarios.format import CHANNEL_KINDS, instant
from engine.services.scenarios.generating import generated
from engine.services.scenarios.notices import body_of, posted, posted_raw
from engine.services.sources import SourceRecord
from engine.store.connection import Tx

T = TypeVar("T")
NOWHERE = 404
UNFIT = 422
ACCEPTED = 202
DEFECT = 500


async def perform(driver: Driver, given: Mapping[str, Any]) -> int | None:
    """Do one input; the HTTP status that its sender saw, None where there is no HTTP or nobody answers."""
    row = generated(given)
    kind, payload = str(row["kind"]), row.get("payload") or {}
    posts = kind in CHANNEL_KINDS or kind in driver.world.sources or kind in ("http_raw", "event", "operator")
    if posts and driver.faults.is_unheard(driver.clock.now()):
        return None
    if kind in CHANNEL_KINDS:
        record = driver.world.channel(kind, payload)
        if record is None:
            raise InvalidDocument([Mistake(f"inputs[{row['index']}].kind", f"the scenario has no {kind} channel")])
        return await _post(driver, row, record, body_of(payload), row.get("headers"))
    if kind in driver.world.sources:
        driver.network.answers.script(row.get("fetch"))
        source = driver.world.sources[kind]
        return await _notice(driver, source, row, posted(source, payload, row.get("headers"), driver.clock.now()))
    if kind == "http_raw":
        return await _raw(driver, row)
    if kind == "event":
        return await _event(driver, payload)
    if kind == "operator":
        return await clicks.click(driver, payload)
    if kind == "clock":
        await driver.until(instant(payload.get("advance_to", row["at"])))
    elif kind == "restart":
        await driver.restart(list(payload.get("what") or []))
    elif kind == "transcript":  # known from the beginning in a file; a run that is played on tells it now
        driver.network.files.words = {**driver.network.files.words, **dict([said(row)])}
    elif kind == "send_result":
        await driver.answer(payload)
    elif kind == "parse":
        now = driver.clock.now()
        await driver.runtime.store.write("parse", lambda tx: parsing.read(tx, driver.world, payload, now))
    elif kind == "fixture":
        await world.extend(driver.runtime, driver.world, driver.scenario.setup, payload)
    return None


async def _post(
    driver: Driver, row: Mapping[str, Any], record: ChannelRecord, raw: bytes, headers: Mapping[str, str] | None
) -> int:
    if headers is None:
        headers = _proof(record, raw)
    lowered = {str(name).lower(): str(value) for name, value in headers.items()}
    with _Fault(driver, row.get("fault")):
        try:
            return (await receive.webhook(driver.runtime, record.token, lowered, raw)).status
        except _Injected:
            return DEFECT  # what the web answers to a failure that nobody foresaw


def _proof(record: ChannelRecord, raw: bytes) -> Mapping[str, str]:
    """What the platform itself would send along."""
    secrets = record.config.secrets
    if record.config.kind == "whatsapp_cloud":
        proof = hmac.new(secrets.get("app_secret", "").encode(), raw, hashlib.sha256).hexdigest()
        return {"x-hub-signature-256": f"sha256={proof}"}
    return {PROOF_HEADER: secrets["webhook_secret"]} if "webhook_secret" in secrets else {}


async def _notice(driver: Driver, source: SourceRecord, row: Mapping[str, Any], sent: Notice) -> int:
    with _Fault(driver, row.get("fault")):
        try:
            return (await receive.payment(driver.runtime, source.token, sent.headers, sent.query, sent.raw)).status
        except _Injected:
            return DEFECT


async def _event(driver: Driver, payload: Mapping[str, Any]) -> int:
    """An event of the customer's own systems, as its address answers it."""
    try:
        await receive_event.receive(driver.runtime, body_of({"flow": driver.world.slug, **payload}))
    except InvalidDocument:
        return UNFIT
    except NotFound:
        return NOWHERE
    return ACCEPTED


async def _raw(driver: Driver, row: Mapping[str, Any]) -> int:
    folder = driver.scenario.path.parent
    try:
        raw = (folder / row["body_file"]).read_bytes() if "body_file" in row else str(row.get("raw_body", "")).encode()
        headers = _headers(driver, str(row["headers_from"])) if "headers_from" in row else row.get("headers")
    except (OSError, ValueError, LookupError) as error:
        raise InvalidDocument([Mistake(f"inputs[{row['index']}]", f"a file cannot be used: {error}")]) from error
    route = str(row.get("route", ""))
    record = next((c for c in driver.world.channels if route.startswith(f"/hooks/{c.config.kind.split('_')[0]}")), None)
    if record is not None:
        return await _post(driver, row, record, raw, headers)
    source = next((s for name, s in driver.world.sources.items() if name in route), None)
    if source is None:
        return NOWHERE
    return await _notice(driver, source, row, posted_raw(source, raw, headers, driver.clock.now()))


def _headers(driver: Driver, reference: str) -> Mapping[str, str]:
    """`file#index` or `file#name`: one entry of a file of samples, each with the value of the file's one header."""
    name, _, entry = reference.partition("#")
    samples = json.loads((driver.scenario.path.parent / name).read_bytes())
    found = samples["samples"][int(entry)] if entry.isdigit() else samples[entry]
    return {str(samples["header"]): str(found["value"])}


class _Injected(Exception):
    """A failure that the scenario asked for."""


class _Fault:
    """While it holds, the unit that takes the named item fails as often as the scenario says."""

    def __init__(self, driver: Driver, fault: Mapping[str, Any] | None) -> None:
        self._driver, self._fault = driver, fault

    def __enter__(self) -> None:
        if self._fault is None:
            return
        store, fault, left = self._driver.runtime.store, self._fault, [int(self._fault.get("times", 1))]
        write = store.write

        async def failing(key: object, unit: Callable[[Tx], T]) -> T:
            item = getattr(unit, "item", None)
            item = getattr(item, "item", item)  # a message comes as a letter, which several units share
            named = (getattr(item, "provider_id", None), getattr(item, "event_id", None))
            if left[0] > 0 and fault["on"] in named:
                left[0] -= 1
                raise _Injected(str(fault.get("error", "fault")))
            return await write(key, unit)

        store.write = failing  # type: ignore[method-assign]  # the fault is taken out again below

    def __exit__(self, *_: object) -> None:
        if self._fault is not None:
            del self._driver.runtime.store.write
