"""What a step of the simulation makes arrive: each becomes inputs of the scenario format, done on the stage at once."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.classify import Fragment
from engine.core.errors import Refused
from engine.core.flow import APPROVED, MINUTE, REJECTED, SECOND
from engine.services.scenarios.format import EPOCH
from engine.services.scenarios.posting import LEAD, SOURCE, enveloped, file, message, notice
from engine.services.simulator.stage import Row, Stage, seconds
from engine.services.simulator.steps import Step
from engine.store import observing
from engine.store.outbox import Row as Letter

__all__ = ["NOBODY", "act", "receipt"]

POSTS = ("whatsapp_cloud", SOURCE, "event")
"""Kinds of inputs that their sender may deliver again."""
DECISIONS = {APPROVED: "approve", REJECTED: "reject"}
NOBODY = "Cliente de teste"
"""What the customer is called until somebody says otherwise."""


async def act(stage: Stage, steps: Sequence[Step], number: int) -> None:
    """Do step `number`. Raises Refused: nothing_due, nothing_again, nothing_bought, nothing_sent, nobody_wrote,
    too_much_happens.
    """
    step, now = steps[number], seconds(stage.now)
    match step.kind:
        case "message" | "tap":
            said = Fragment(step.text) if step.kind == "message" else _tapped(step)
            name, _ = _person(steps, number)
            await stage.do(number, _posted(now, message(stage.count, stage.now - EPOCH, said, name)))
            if not step.more:
                await stage.rest(number)
        case "file":
            await _sends(stage, steps, number)
        case "payment" | "late":
            await stage.do(number, _bought(stage, steps, number))
        case "event":
            told = {"id": f"sim-{stage.count}", "contact": LEAD, "type": step.event, "data": dict(step.data)}
            await stage.do(number, {"at": now, "kind": "event", "payload": told})
        case "clock":
            await stage.do(number, {"at": now + step.by / 1_000, "kind": "clock"})
        case "deadline":
            await stage.do(number, {"at": await _due(stage), "kind": "clock"})
        case "again":
            await stage.do(number, {**_latest(stage, POSTS, "nothing_again"), "at": now})
        case "read":
            await _read(stage, number, step, now)
        case "decision":
            await stage.do(number, _decided(now, step))
        case "take" | "give_back":
            if not await stage.driver.runtime.store.read(observing.standings):
                raise Refused("nobody_wrote")
            await stage.do(number, _handled(now, step))
        case "given":
            await stage.do(number, step.row)


async def _sends(stage: Stage, steps: Sequence[Step], number: int) -> None:
    """A file; what is said in an audio is known to the service that listens from the moment on in which it came."""
    step, now = steps[number], seconds(stage.now)
    name, _ = _person(steps, number)
    count = stage.count
    body, ident = file(count, stage.now - EPOCH, step.medium, step.text, name)
    if step.medium == "audio":
        await stage.do(number, {"at": now, "kind": "transcript", "payload": {"message": ident, "text": step.text}})
    await stage.do(number, _posted(now, body))
    if not step.more:
        await stage.rest(number)


def _tapped(step: Step) -> Fragment:
    return Fragment(step.title, step.button, "list" if step.medium == "list" else "button")


def _person(steps: Sequence[Step], number: int) -> tuple[str | None, str | None]:
    """Name and address of the customer as they were last said."""
    known = [step for step in steps[:number] if step.kind == "person"]
    return (known[-1].name or None, known[-1].email or None) if known else (NOBODY, None)


def _posted(at: float, body: Mapping[str, Any]) -> Row:
    return {"at": at, "kind": "whatsapp_cloud", "payload": dict(body)}


def _bought(stage: Stage, steps: Sequence[Step], number: int) -> Row:
    """A notice of the payment platform; late news are of the last purchase, and a minute older."""
    step, at = steps[number], stage.now
    name, email = _person(steps, number)
    told: dict[str, object] = {"amount": step.amount, "product": step.product, "name": name, "email": email}
    if step.kind == "late":
        before = _latest(stage, (SOURCE,), "nothing_bought")["payload"]
        told |= {"order": before["order"], "amount": before.get("amount"), "product": before.get("product")}
        at = int(before.get("at") or at) - MINUTE
    elif step.order:
        told["order"] = step.order
    said = {key: value for key, value in told.items() if value not in (None, "")}
    payload = notice(stage.count, step.event, at=at, **said)
    return {"at": seconds(stage.now), "kind": SOURCE, "payload": payload}


def _decided(now: float, step: Step) -> Row:
    payload = {"action": DECISIONS[step.event], "conversation": LEAD, **({"text": step.text} if step.text else {})}
    return {"at": now, "kind": "operator", "payload": payload}


def _handled(now: float, step: Step) -> Row:
    """A person of the team answers in place of the bot, or gives the talk back to it."""
    told = {"minutes": step.by / MINUTE} if step.kind == "take" else {"send_held": step.held}
    return {"at": now, "kind": "operator", "payload": {"action": step.kind, "conversation": LEAD, **told}}


def _latest(stage: Stage, kinds: Sequence[str], otherwise: str) -> Row:
    found = next((row for _, row in reversed(stage.played) if row["kind"] in kinds), None)
    if found is None:
        raise Refused(otherwise)
    return found


async def _due(stage: Stage) -> float:
    moment = await stage.driver.next_moment()
    if moment is None:
        raise Refused("nothing_due")
    return seconds(moment)


async def _read(stage: Stage, number: int, step: Step, now: float) -> None:
    """The customer reads everything that left; with `late` the older news of the delivery come after that."""
    letters = [one for one in await stage.driver.runtime.store.read(observing.attempted) if one.status == "sent"]
    if not letters:
        raise Refused("nothing_sent")
    await stage.do(number, _posted(now, _statuses(letters, "read", stage.now)))
    if step.late:
        await stage.do(number, _posted(now, _statuses(letters, "delivered", stage.now - SECOND)))


def _statuses(letters: Sequence[Letter], status: str, at: int) -> dict[str, Any]:
    about = {"status": status, "timestamp": str(at // SECOND), "recipient_id": LEAD}
    told = [{"id": one.provider_id, **about} for one in letters]
    return enveloped({"statuses": told})


def receipt(row: int, at: int) -> Row:
    """The platform's news that it delivered the letter `row`, of which we may not know that it took it."""
    told = {
        "id": f"made-{row}",
        "status": "delivered",
        "timestamp": str(at // SECOND),
        "recipient_id": LEAD,
        "biz_opaque_callback_data": f"outbox:{row}",
    }
    return _posted(seconds(at), enveloped({"statuses": [told]}))
