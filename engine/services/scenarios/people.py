"""People of a scenario, put where it says: their conversations, the letters to them and what they wrote before."""

from collections.abc import Mapping
from typing import Any

from engine.core.canonical import canonical
from engine.core.errors import InvalidDocument, Mistake
from engine.core.flow import Flow, Look, Millis, Send
from engine.core.inbound import Message, Person
from engine.core.interpreter import opening
from engine.services import contact_values
from engine.services.letters import letters
from engine.services.scenarios.format import EPOCH, instant
from engine.store import contacts, conversations, inbox, marks, outbox, pauses, placing
from engine.store.connection import Tx
from engine.store.conversations import Conversation
from engine.store.outbox import Letter

KEPT_FLYING = 10 * 365 * 86_400_000
"""A letter that is on the wire at T0 stays there until its answer comes, however late that is."""


def conversation(tx: Tx, flow: Flow, channel_id: int, row: Mapping[str, Any], by: str) -> dict[str, int]:
    """Each person of the row with a conversation; its id by the name that the scenario may call it."""
    made = {}
    for index in range(int(row.get("count") or 1)):
        spelled = _numbered(str(row["contact"]), index)
        contact_id = _contact(tx, row, spelled)
        if (until := _moment(row, "paused_until", index)) is not None:
            pauses.begin(tx, contact_id, EPOCH, until, by)
        number = int(row.get("flow_version") or conversations.live_version(tx, flow.slug) or 1)
        begun = opening(flow, EPOCH, f"setup:{contact_id}")
        opened = conversations.open_cycle(tx, contact_id, channel_id, flow.slug, number, begun, EPOCH)
        placing.place(tx, opened, _standing(flow, row, begun.context, index), EPOCH)
        made[str(row.get("id", spelled))] = opened.id
    return made


def letter(tx: Tx, flow: Flow, row: Mapping[str, Any]) -> int:
    """A letter of the flow, in the state that the scenario says; its number."""
    standing = _whose(tx, flow.slug, row, "setup.outbox")
    values = contact_values.values(contacts.row(tx, standing.contact_id))
    environment = {**standing.snapshot.context, **{f"contact.{n}": v for n, v in values.items()}}
    action = str(row["action"])
    spec = flow.actions.get(action)
    if not isinstance(spec, Send):
        raise InvalidDocument([Mistake("setup.outbox", f"{action!r} is not a send of the flow")])
    payload = list(letters(flow, spec, environment, "pt-BR"))[-1][2]
    status, at = str(row.get("status", "pending")), instant(row.get("at", 0))
    written = outbox.put(
        tx,
        Letter(
            action=action,
            cause="clock" if flow.states[standing.snapshot.state].look is Look.RECOVERY else "message",
            state=standing.snapshot.state,
            payload=payload,
            parts=int(row.get("parts") or 1),
            status=status,
            reason="paused" if status == "held" else None,
        ),
        standing.id,
        standing.contact_id,
        standing.channel_id,
        at,
    )
    if written is None:
        raise InvalidDocument([Mistake("setup.outbox", "cannot be written")])
    changes: dict[str, Any] = {"sent_at": at} if status == "sent" else {}
    if status in ("sending", "uncertain"):
        changes["lease_until"] = at + KEPT_FLYING
    if row.get("provider_id"):
        changes["provider_id"] = row["provider_id"]
    outbox.settle(tx, written, status, **changes)
    return placing.renumber(tx, written, int(row["id"]), attempt=0 if status in ("pending", "held") else 1)


def message(tx: Tx, slug: str, row: Mapping[str, Any]) -> None:
    """What a person wrote before the scenario begins; unread unless it is `processed`, which it is by default."""
    standing = _whose(tx, slug, row, "setup.inbound")
    if standing.channel_id is None:
        raise InvalidDocument([Mistake("setup.inbound", "the conversation has no channel")])
    at, read = instant(row.get("at", 0)), row.get("processed", True)
    written = Message(
        provider_id=str(row["id"]), person=Person(phone=str(row["contact"])), at=at, kind="text", text="oi"
    )
    ignored = "before" if read else None
    arrived = inbox.Arrived(standing.channel_id, standing.id, standing.contact_id, written, at, ignored=ignored)
    inbox.store(tx, [arrived])
    if not read:
        marks.note_arrivals(tx, [marks.Waits(standing.id, standing.channel_id, at, at, at, at)])


def _contact(tx: Tx, row: Mapping[str, Any], spelled: str) -> int:
    named = row.get("identities") or {}
    person = Person(
        phone=spelled if spelled.isdigit() else None,
        lid=named.get("lid") or (spelled if spelled.endswith("@lid") else None),
        bsuid=named.get("bsuid") or (spelled if "." in spelled else None),
        name=row.get("name"),
    )
    found = contacts.resolve(tx, person, EPOCH)
    if found is None:
        raise InvalidDocument([Mistake("setup.conversations", f"nobody can be called {spelled!r}")])
    if named.get("wa_id"):
        contacts.follow(tx, found.contact_id, Person(phone=str(named["wa_id"])), EPOCH)
    if row.get("reference"):
        contacts.track(tx, found.contact_id, str(row["reference"]), EPOCH)
    if row.get("opt_out"):
        contacts.set_opt_out(tx, found.contact_id, EPOCH)
    return found.contact_id


def _standing(flow: Flow, row: Mapping[str, Any], context: Mapping[str, Any], index: int) -> dict[str, Any]:
    state = str(row.get("state", flow.initial))
    if state not in flow.states:
        raise InvalidDocument([Mistake("setup.conversations", f"the flow has no state {state!r}")])
    given = row.get("context") or {}
    if unknown := sorted(set(given) - set(flow.context)):
        raise InvalidDocument([Mistake("setup.conversations", f"the flow has no field {unknown[0]!r}")])
    entered = _moment(row, "entered_at", index)
    entered = EPOCH if entered is None else entered
    ladder, rung = flow.states[state].deadline, int(row.get("ladder_step") or 0)
    if not 0 <= rung <= len(ladder):
        raise InvalidDocument([Mistake("setup.conversations", f"the silence of {state} has no step {rung}")])
    deadline = _moment(row, "deadline_at", index)
    if deadline is None and ladder:
        deadline = entered + ladder[min(rung, len(ladder) - 1)]
    last = _moment(row, "last_inbound_at", index)
    return {
        "state": state,
        "context": canonical({**context, **given}),
        "entered_at": entered,
        "deadline_at": deadline,
        "rung": rung,
        "last_inbound_at": 0 if last is None else last,
    }


def _moment(row: Mapping[str, Any], name: str, index: int) -> Millis | None:
    """A time of the row for its person number `index`: two of them are spread evenly over all."""
    given = row.get(name)
    if isinstance(given, list):
        first, last = given
        return instant(first + (last - first) * index / max(int(row.get("count") or 1) - 1, 1))
    return None if given is None else instant(given)


def _numbered(spelled: str, index: int) -> str:
    if index and not spelled.isdigit():
        raise InvalidDocument([Mistake("setup.conversations", "only numbers can be counted upward")])
    return str(int(spelled) + index).zfill(len(spelled)) if index else spelled


def _whose(tx: Tx, slug: str, row: Mapping[str, Any], place: str) -> Conversation:
    contact_id = contacts.find(tx, str(row["contact"]))
    standing = None if contact_id is None else conversations.newest(tx, contact_id, slug)
    if standing is None:
        raise InvalidDocument([Mistake(place, f"nobody is called {row['contact']!r}")])
    return standing
