"""What a transition asks for: planned before the write, so that the log says it, and written in the same transaction."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from engine.core.events import Event, Step
from engine.core.flow import APPROVED, Action, Agent, Call, Flow, Millis, Notify, OptIn, Send, SetPause, Tag, Value
from engine.core.templating import render
from engine.services.approved import DIFFERS, approved_letters
from engine.services.letters import letters
from engine.services.loop_guard import LOOP
from engine.store import contacts, outbox, pauses, proofs
from engine.store.approvals import Approval
from engine.store.connection import Tx
from engine.store.conversations import Conversation
from engine.store.journal import Record
from engine.store.marks import flag
from engine.store.outbox import Letter, Row
from engine.store.proofs import Proof


@dataclass(frozen=True, slots=True)
class Plan:
    """One action: the letters to write, the records that explain it."""

    action: str
    spec: Action
    letters: tuple[Letter, ...] = ()
    records: tuple[Record, ...] = ()
    due: bool = True


def plans(
    tx: Tx,
    flow: Flow,
    conversation: Conversation,
    taken: Step,
    event: Event,
    person: Mapping[str, object],
    values: Mapping[str, Value],
    now: Millis,
    *,
    confirms: bool,
    unanswered: bool = False,
    approval: Approval | None = None,
) -> list[Plan]:
    """Every action of the arrow, in order. Texts are rendered now from `values`, the context after the assignments.

    `unanswered`: nothing is sent, because a robot seems to be on the other side (R32). With an `approval` its messages are
    sent as they were approved, and nothing is rendered.
    """
    is_global = taken.taken is not None and taken.taken.is_global
    until = person["paused_until"]
    paused = isinstance(until, int) and until > now and not is_global and not confirms
    status, reason = ("suppressed", LOOP) if unanswered and not confirms else _waits(paused)
    if approval is None and flow.decides and taken.taken is not None and taken.taken.on == APPROVED:
        status, reason = "suppressed", DIFFERS  # taken by another way than an approval: nobody allowed these words
    planned = []
    for place, name in enumerate(taken.actions):
        spec = flow.actions[name]
        key = render(flow, spec.once_per, values) if spec.once_per else None
        once = f"{name}:{key}" if key is not None else None
        if once is not None and outbox.once_used(tx, conversation.id, once):
            told = _say(event, "ignored", "already_done", name, key=key)
            planned.append(Plan(name, spec, records=(told,), due=False))
        elif isinstance(spec, Send):
            what = (
                letters(flow, spec, values, str(person["language"] or "pt-BR"))
                if approval is None
                else approved_letters(approval, place)
            )
            written = tuple(
                Letter(
                    action=name,
                    cause=event.source.value,
                    state=taken.snapshot.state,
                    payload=payload,
                    part=number,
                    parts=total,
                    is_global=is_global,
                    confirms_opt_out=confirms,
                    critical=spec.repeat_ok,
                    once_key=once if number == 1 else once and f"{once}#{number}",
                    key=key,
                    status=status,
                    reason=reason,
                    event_id=event.id,
                    approval_id=None if approval is None else approval.id,
                )
                for number, total, payload in what
            )
            unsent = () if reason is None else (_say(event, status, reason, name),)
            planned.append(Plan(name, spec, letters=written, records=unsent))
        else:
            planned.append(Plan(name, spec, records=_told(flow, spec, event, values)))
    return planned


def _waits(paused: bool) -> tuple[str, str | None]:
    return ("held", "paused") if paused else ("pending", None)


def perform(tx: Tx, conversation: Conversation, planned: list[Plan], now: Millis) -> None:
    """Write what was planned; called after the guarded write of the same transaction."""
    for plan in planned:
        for letter in plan.letters:
            outbox.put(tx, letter, conversation.id, conversation.contact_id, conversation.channel_id, now)
        if plan.due:
            _apply(tx, conversation, plan.spec, now)


def superseded(tx: Tx, rows: list[Row], event: Event, stops: bool) -> list[Record]:
    """Take back letters that were never tried; one that was tried may have arrived, so a person looks at it (R36)."""
    entries = []
    reason = "opt_out" if stops else "state_changed"
    for row in rows:
        tried = row.attempt > 0 and row.status != "held"  # what is held back certainly did not leave
        outbox.settle(tx, row.id, "review" if tried else "suppressed", reason=reason)
        facts = {"action": row.action, "outbox": row.id, **({"to": "supervisor"} if tried else {})}
        outcome = "alert" if tried else "suppressed"
        entries.append(Record(outcome=outcome, reason=reason, event_id=event.id, facts=facts))
    return entries


def _apply(tx: Tx, conversation: Conversation, spec: Action, now: Millis) -> None:
    if isinstance(spec, Tag):
        row = contacts.row(tx, conversation.contact_id)
        tags = [t for t in json.loads(str(row["tags"])) if t not in spec.remove and t not in spec.add]
        contacts.set_tags(tx, conversation.contact_id, [*tags, *spec.add])
    elif isinstance(spec, SetPause):
        pauses.begin(tx, conversation.contact_id, now, now + spec.duration, "flow")
    elif isinstance(spec, OptIn):
        contacts.set_opt_out(tx, conversation.contact_id, None)
        proofs.record(tx, [Proof(contact_id=conversation.contact_id, at=now, source=proofs.FLOW, words=spec.id)], now)
    elif isinstance(spec, Notify | Call | Agent):
        flag(tx, conversation.id, "asked_for_person" if isinstance(spec, Notify) else "not_available")


def _told(flow: Flow, spec: Action, event: Event, values: Mapping[str, Value]) -> tuple[Record, ...]:
    if isinstance(spec, OptIn):
        return (_say(event, "opt_in", "by_flow", spec.id),)
    if isinstance(spec, Notify):
        words = render(flow, spec.text.within("pt-BR"), values)
        return (_say(event, "alert", "notify", spec.id, to=spec.to or "supervisor", text=words),)
    if isinstance(spec, Call | Agent):
        # Publishing refuses such a flow; a row says so if one got in another way.
        return (_say(event, "alert", "action_not_available", spec.id, to="marketer"),)
    return ()


def _say(event: Event, outcome: str, reason: str, action: str, **facts: object) -> Record:
    return Record(
        outcome=outcome, reason=reason, event_id=event.id, event=event.type, facts={"action": action, **facts}
    )
