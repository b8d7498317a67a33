"""What an operator clicks in a scenario, through the services behind the pages; the status is the page's answer."""

from collections.abc import Mapping
from typing import Any

from engine.core.durations import compact, parse_human
from engine.core.errors import InvalidDocument, Mistake, NotFound, NotPublishable, Refused, Stale
from engine.core.flow import MINUTE
from engine.services import matching, publish, supervise, unmatched
from engine.services.approval_decisions import CONFLICTS
from engine.services.scenarios import approving
from engine.services.scenarios.drive import Driver
from engine.services.scenarios.world import ACTOR
from engine.store import collisions, contacts, conversations
from engine.store.connection import Tx

OK = 200
REFUSED = 422
STALE = 409
HALF_AN_HOUR = 30


async def click(driver: Driver, payload: Mapping[str, Any]) -> int:
    """Do one click. Raises InvalidDocument for a click or a conversation that nobody knows."""
    try:
        await _clicked(driver, str(payload.get("action")), payload)
    except Refused as refusal:
        return STALE if refusal.code in CONFLICTS else REFUSED
    except (NotFound, NotPublishable):
        return REFUSED
    except Stale:
        return STALE
    return OK


async def _clicked(driver: Driver, action: str, payload: Mapping[str, Any]) -> None:
    runtime = driver.runtime
    if action == "save_state":
        await _save_state(driver, payload)
    elif action == "settle":
        arrived = bool(payload.get("arrived", False))
        await supervise.settle_unknown(runtime, int(payload["outbox"]), ACTOR, arrived=arrived)
    elif action == "send":
        conversation_id = await _meant(driver, payload)
        text, token = str(payload["text"]), str(payload["form_token"])
        await supervise.write_by_hand(runtime, conversation_id, text, token, ACTOR)
    elif action in ("pause", "take"):
        duration = round(payload.get("minutes", HALF_AN_HOUR) * MINUTE)
        await supervise.pause(runtime, await _meant(driver, payload), duration, ACTOR)
    elif action in ("resume", "give_back"):
        held = bool(payload.get("send_held", False))
        await supervise.give_back(runtime, await _meant(driver, payload), ACTOR, send_held=held)
    elif action in ("same_person", "different_people"):
        await _pair(driver, payload, same=action == "same_person")
    elif action in ("tie_payment", "set_aside"):
        await _payment(driver, payload, tie=action == "tie_payment")
    elif action in approving.DECISIONS:
        await approving.decide(runtime, await _meant(driver, payload), payload)
    elif action == "opt_in":
        await supervise.opt_in(runtime, await _meant(driver, payload), ACTOR)
    else:
        raise InvalidDocument([Mistake("inputs", f"nobody knows the click {action!r}")])


async def _meant(driver: Driver, payload: Mapping[str, Any]) -> int:
    """The conversation that a click names: by its id in `setup`, or by its contact (the newest one)."""
    name = str(payload.get("conversation"))
    known = driver.world.conversations.get(name)
    if known is not None:
        return known

    def unit(tx: Tx) -> int | None:
        contact_id = contacts.find(tx, name)
        return None if contact_id is None else conversations.latest_id(tx, contact_id)

    found = await driver.runtime.store.read(unit)
    if found is None:
        raise InvalidDocument([Mistake("inputs", f"there is no conversation {name!r}")])
    return found


async def _pair(driver: Driver, payload: Mapping[str, Any], *, same: bool) -> None:
    """Somebody says whether `contact` and `other` are one person."""
    names = [str(payload.get("contact")), str(payload.get("other"))]

    def unit(tx: Tx) -> int | None:
        one, other = (contacts.find(tx, name) for name in names)
        asked = None if one is None or other is None else collisions.known(tx, one, other)
        return None if asked is None else asked.id

    found = await driver.runtime.store.read(unit)
    if found is None:
        raise InvalidDocument([Mistake("inputs", f"nobody asks about {' and '.join(names)}")])
    await matching.decide(driver.runtime, found, ACTOR, same=same)


async def _payment(driver: Driver, payload: Mapping[str, Any], *, tie: bool) -> None:
    """Somebody ties the waiting payment of `transaction` (of all, when there is one) to `contact`, or sets it aside."""
    wanted, name = payload.get("transaction"), str(payload.get("contact"))
    strays = (await unmatched.queue(driver.runtime)).strays
    found = next((stray for stray in strays if wanted in (None, stray.transaction)), None)
    if found is None:
        raise NotFound("payment", wanted)
    if not tie:
        await unmatched.set_aside(driver.runtime, found.id, ACTOR)
        return
    contact_id = await driver.runtime.store.read(lambda tx: contacts.find(tx, name))
    if contact_id is None:
        raise InvalidDocument([Mistake("inputs", f"nobody is called {name!r}")])
    await unmatched.tie(driver.runtime, found.id, contact_id, ACTOR)


async def _save_state(driver: Driver, payload: Mapping[str, Any]) -> None:
    """A marketer changes a state's silence and publishes."""
    tree, state = driver.world.tree, str(payload["state"])
    silence = parse_human(str(payload["deadline"]))
    if silence is None:
        raise Refused("deadline_unreadable")
    if state not in tree["states"]:
        raise InvalidDocument([Mistake("inputs", f"the flow has no state {state!r}")])
    tree["states"][state]["deadline"] = compact(silence)
    await publish.publish_tree(driver.runtime, tree, "scenario", ACTOR)
