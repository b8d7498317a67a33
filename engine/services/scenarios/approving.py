"""What a person decides in a scenario about what waits for approval, as the page would have shown it to them."""

from collections.abc import Mapping
from typing import Any

from engine.core.approval import Approver, can_name
from engine.core.errors import NotFound
from engine.core.permissions import Role
from engine.runtime import Runtime
from engine.services.approval_decisions import Decider, approve, extend, reject
from engine.services.scenarios.world import ACTOR
from engine.store import approvals

__all__ = ["DECISIONS", "decide"]

DECISIONS = ("approve", "reject", "extend")


async def decide(runtime: Runtime, conversation_id: int, payload: Mapping[str, Any]) -> None:
    """Decide about the newest request of the conversation. `by` is a role or an e-mail address, without
    one somebody who may; `text` are the words instead of the first message, or why not. Raises as the page does.
    """
    found = await runtime.store.read(lambda tx: approvals.latest(tx, conversation_id))
    if found is None:
        raise NotFound("approval", conversation_id)
    who, text = _who(str(payload.get("by") or "") or next(filter(can_name, found.approvers), "")), payload.get("text")
    if payload["action"] == "approve":
        await approve(runtime, found.id, found.sha256, who, {} if text is None else {0: str(text)})
    elif payload["action"] == "reject":
        await reject(runtime, found.id, str(text or ""), who)
    else:
        await extend(runtime, found.id, who)


def _who(by: str) -> Decider:
    role = by if by in list(Role) else Role.SUPERVISOR.value
    return Decider(ACTOR, Approver(role, by if "@" in by else ""))
