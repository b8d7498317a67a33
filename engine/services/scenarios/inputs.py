"""One input of a scenario, done for real: a signed post, an operator's click, a restart, time passing."""

import hashlib
import hmac
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from engine.core.durations import compact, parse_human
from engine.core.errors import InvalidDocument, Mistake, NotFound, Refused, Stale
from engine.core.flow import MINUTE
from engine.services import publish, receive, supervise
from engine.services.scenarios.drive import Driver, body_of
from engine.services.scenarios.format import CHANNEL_KINDS, instant
from engine.services.scenarios.world import ACTOR
from engine.services.sources import SourceRecord
from engine.store.connection import Tx

T = TypeVar("T")
OK = 200


async def perform(driver: Driver, row: Mapping[str, Any]) -> int | None:
    """Do one input; the HTTP status that its sender saw, None where there is no HTTP."""
    kind, payload = str(row["kind"]), row.get("payload")
    if kind in CHANNEL_KINDS:
        return await _post(driver, row, kind, body_of(payload), row.get("headers"))
    if kind in driver.world.sources:
        return await _notice(driver, driver.world.sources[kind], row, body_of(payload))
    if kind == "http_raw":
        return await _raw(driver, row)
    if kind == "operator":
        return await _click(driver, payload or {})
    if kind == "clock":
        target = (payload or {}).get("advance_to", row["at"])
        await driver.until(instant(target))
    elif kind == "restart":
        await driver.restart()
    elif kind == "send_result":
        await driver.answer(payload or {})
    elif kind != "fixture":
        raise InvalidDocument([Mistake(f"inputs[{row['index']}].kind", f"{kind!r} cannot be played here")])
    return None


async def _post(
    driver: Driver, row: Mapping[str, Any], kind: str, raw: bytes, headers: Mapping[str, str] | None
) -> int:
    record = driver.world.channels.get(kind)
    if record is None:
        raise InvalidDocument([Mistake(f"inputs[{row['index']}].kind", f"the scenario has no {kind} channel")])
    if headers is None:
        secret = record.config.secrets.get("app_secret", "").encode()
        proof = hmac.new(secret, raw, hashlib.sha256).hexdigest()
        headers = {"x-hub-signature-256": f"sha256={proof}"} if kind == "whatsapp_cloud" else {}
    lowered = {name.lower(): value for name, value in headers.items()}
    with _Fault(driver, row.get("fault")):
        try:
            return (await receive.webhook(driver.runtime, record.token, lowered, raw)).status
        except RuntimeError:
            return 500  # what the web answers to a failure that nobody foresaw


async def _notice(driver: Driver, source: SourceRecord, row: Mapping[str, Any], raw: bytes) -> int:
    headers = row.get("headers")
    if headers is None:
        headers = {f"x-hotmart-{name}": value for name, value in source.config.secrets.items()}
    lowered = {str(name).lower(): str(value) for name, value in headers.items()}
    return (await receive.payment(driver.runtime, source.token, lowered, {}, raw)).status


async def _raw(driver: Driver, row: Mapping[str, Any]) -> int:
    folder = driver.scenario.path.parent
    raw = (folder / row["body_file"]).read_bytes() if "body_file" in row else str(row.get("raw_body", "")).encode()
    route = str(row.get("route", ""))
    kind = next((k for k in driver.world.channels if route.startswith(f"/hooks/{k.split('_')[0]}")), None)
    headers = row.get("headers")
    if "headers_from" in row:
        headers = _headers(folder, str(row["headers_from"]))
    if kind is not None:
        return await _post(driver, row, kind, raw, headers)
    source = next((s for name, s in driver.world.sources.items() if name in route), None)
    if source is None:
        return 404
    return await _notice(driver, source, row, raw)


def _headers(folder: Path, reference: str) -> Mapping[str, str]:
    """`file#index` or `file#name`: one entry of a file of samples, each with the value of the file's one header."""
    name, _, entry = reference.partition("#")
    samples = json.loads((folder / name).read_bytes())
    found = samples["samples"][int(entry)] if entry.isdigit() else samples[entry]
    return {str(samples["header"]): str(found["value"])}


async def _click(driver: Driver, payload: Mapping[str, Any]) -> int:
    action = str(payload.get("action"))
    try:
        if action == "save_state":
            await _save_state(driver, payload)
            return OK
        conversation_id = driver.world.conversations[str(payload["conversation"])]
        if action == "send":
            text, token = str(payload["text"]), str(payload["form_token"])
            await supervise.write_by_hand(driver.runtime, conversation_id, text, token, ACTOR)
        elif action in ("pause", "take"):
            await supervise.pause(driver.runtime, conversation_id, round(payload.get("minutes", 30) * MINUTE), ACTOR)
        elif action in ("resume", "give_back"):
            held = bool(payload.get("send_held", False))
            await supervise.give_back(driver.runtime, conversation_id, ACTOR, send_held=held)
        elif action == "opt_in":
            await supervise.opt_in(driver.runtime, conversation_id, ACTOR)
        else:
            raise InvalidDocument([Mistake("inputs", f"nobody knows the click {action!r}")])
    except (Refused, NotFound):
        return 422
    except Stale:
        return 409
    return OK


async def _save_state(driver: Driver, payload: Mapping[str, Any]) -> None:
    """A marketer changes a state's silence and publishes."""
    tree = driver.world.tree
    silence = parse_human(str(payload["deadline"]))
    if silence is None:
        raise Refused("deadline_unreadable")
    tree["states"][str(payload["state"])]["deadline"] = compact(silence)
    await publish.publish_tree(driver.runtime, tree, "scenario", ACTOR)


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
            item = getattr(unit, "keywords", {}).get("item")
            if left[0] > 0 and getattr(item, "provider_id", None) == fault["on"]:
                left[0] -= 1
                raise RuntimeError(str(fault.get("error", "fault")))
            return await write(key, unit)

        store.write = failing  # type: ignore[method-assign]  # the fault is taken out again below

    def __exit__(self, *_: object) -> None:
        if self._fault is not None:
            del self._driver.runtime.store.write
