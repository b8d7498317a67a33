"""The world of a scenario at T0: flow, channels, sources, people, letters and messages that exist before it begins."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.adapters.payments import registry
from engine.core.canonical import canonical
from engine.core.document import read
from engine.core.errors import InvalidDocument, Mistake
from engine.core.flow import Flow, Look, Send
from engine.core.inbound import Message, Person
from engine.core.interpreter import opening
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.services import channels, contact_values, sources
from engine.services.channels import ChannelRecord
from engine.services.letters import letters
from engine.services.scenarios.format import EPOCH, Scenario, instant
from engine.services.scenarios.reference import document
from engine.services.sources import SourceRecord
from engine.store import contacts, conversations, flows, inbox, outbox, pauses, placing
from engine.store.connection import Tx
from engine.store.outbox import Letter

AUTHOR = "scenario"
ACTOR = Actor(AUTHOR)
KEPT_FLYING = 10 * 365 * 86_400_000
"""A letter that is on the wire at T0 stays there until its answer comes, however late that is."""


@dataclass(slots=True)
class World:
    """What the inputs need to find their way: tokens, secrets, and the ids that the scenario uses."""

    slug: str = ""
    tree: dict[str, Any] = field(default_factory=dict)
    channels: dict[str, ChannelRecord] = field(default_factory=dict)
    sources: dict[str, SourceRecord] = field(default_factory=dict)
    conversations: dict[str, int] = field(default_factory=dict)
    preset_rows: frozenset[int] = frozenset()
    flying_rows: frozenset[int] = frozenset()
    """Of those, the ones that are on the wire at T0: what becomes of them is no new message."""


async def build(runtime: Runtime, scenario: Scenario) -> World:
    """Write everything that `setup` names. Raises InvalidDocument, NotFound, Refused."""
    setup, world = scenario.setup, World()
    world.tree = document(setup.get("flow", "venda"), setup.get("set") or {})
    flow = read(world.tree)
    world.slug = flow.slug
    await runtime.store.write("setup", lambda tx: _publish(tx, world.tree, flow))
    for row in [setup.get("channel") or {"kind": "whatsapp_cloud"}, *(setup.get("more_channels") or [])]:
        await _channel(runtime, world, row)
    for row in setup.get("sources") or []:
        await _source(runtime, world, row)
    await runtime.store.write("setup", lambda tx: _people(tx, world, flow, setup))
    return world


def _publish(tx: Tx, tree: Mapping[str, Any], flow: Flow) -> None:
    text = canonical(tree)
    flows.add(tx, slug=flow.slug, title=flow.title.within("pt-BR"), text=text, now=EPOCH, who=AUTHOR)
    flows.publish(tx, slug=flow.slug, text=text, sha256=flow.sha256, note="", author=AUTHOR, now=EPOCH)


def _people(tx: Tx, world: World, flow: Flow, setup: Mapping[str, Any]) -> None:
    for row in setup.get("conversations") or []:
        for index in range(int(row.get("count", 1))):
            _conversation(tx, world, flow, row, index)
    world.preset_rows = frozenset(_letter(tx, world, flow, row) for row in setup.get("outbox") or [])
    world.flying_rows = frozenset(r["id"] for r in setup.get("outbox") or [] if r.get("status") in ("sending", "sent"))
    for row in setup.get("inbound") or []:
        _message(tx, world, row)


async def _channel(runtime: Runtime, world: World, row: Mapping[str, Any]) -> None:
    kind = str(row["kind"])
    values = {
        "whatsapp_cloud": {
            "phone_number_id": "100000000000001",
            "app_secret": "segredo-do-cenario",
            "access_token": "ficha-do-cenario",
            "verify_token": "verificacao",
            "base_url": "https://provider.example",
        },
        "evolution": {
            "instance": "loja-teste",
            "api_key": str(row.get("apikey", "chave-do-cenario")),
            "base_url": "https://provider.example",
        },
    }.get(kind, {})
    given = {name: value for name, value in row.items() if name not in ("kind", "apikey") and value is not None}
    values |= {n: str(v).lower() if isinstance(v, bool) else str(v) for n, v in given.items()}
    token = f"canal-do-cenario-{len(world.channels) + 1}"
    made = await channels.add(runtime, kind, token, ACTOR, token=token, flow=world.slug, values=values)
    world.channels[kind] = made


async def _source(runtime: Runtime, world: World, row: Mapping[str, Any]) -> None:
    name = str(row["platform"])
    values = {key: f"segredo-do-cenario-{key}" for key in registry.platform(name).secrets}
    values |= {key: str(value) for key, value in row.items() if key != "platform"}
    token = f"fonte-do-cenario-{len(world.sources) + 1}"
    world.sources[name] = await sources.add(runtime, name, token, world.slug, ACTOR, token=token, values=values)


def _conversation(tx: Tx, world: World, flow: Flow, row: Mapping[str, Any], index: int) -> None:
    spelled = str(row["contact"])
    if index:
        spelled = str(int(spelled) + index).zfill(len(spelled))
    named = row.get("identities") or {}
    person = Person(
        phone=spelled if spelled.isdigit() else None,
        lid=named.get("lid") or (spelled if spelled.endswith("@lid") else None),
        bsuid=named.get("bsuid") or (spelled if "." in spelled else None),
        name=row.get("name"),
    )
    found = contacts.resolve(tx, person, EPOCH)
    if found is None:
        raise InvalidDocument([Mistake("setup.conversations", f"nobody is called {spelled!r}")])
    if row.get("reference"):
        contacts.add_reference(tx, found.contact_id, str(row["reference"]), EPOCH)
    if row.get("opt_out"):
        contacts.set_opt_out(tx, found.contact_id, EPOCH)
    if row.get("paused_until") is not None:
        pauses.begin(tx, found.contact_id, EPOCH, instant(row["paused_until"]), AUTHOR)
    channel_id = next(iter(world.channels.values())).id
    begun = opening(flow, EPOCH, f"setup:{found.contact_id}")
    opened = conversations.open_cycle(
        tx, found.contact_id, channel_id, world.slug, int(row.get("flow_version", 1)), begun, EPOCH
    )
    placing.place(tx, opened, _standing(flow, row, begun.context, index), EPOCH)
    world.conversations[str(row.get("id", spelled))] = opened.id


def _standing(flow: Flow, row: Mapping[str, Any], context: Mapping[str, Any], index: int) -> dict[str, Any]:
    state = str(row.get("state", flow.initial))
    if state not in flow.states:
        raise InvalidDocument([Mistake("setup.conversations", f"the flow has no state {state!r}")])
    entered = instant(row.get("entered_at", 0))
    ladder, rung = flow.states[state].deadline, int(row.get("ladder_step", 0))
    deadline = entered + ladder[min(rung, len(ladder) - 1)] if ladder else None
    given = row.get("deadline_at")
    if isinstance(given, list):
        span, count = given[1] - given[0], int(row.get("count", 1))
        deadline = instant(given[0] + span * index / max(count - 1, 1))
    elif given is not None:
        deadline = instant(given)
    return {
        "state": state,
        "context": canonical({**context, **(row.get("context") or {})}),
        "entered_at": entered,
        "deadline_at": deadline,
        "rung": rung,
        "last_inbound_at": instant(row["last_inbound_at"]) if row.get("last_inbound_at") is not None else 0,
    }


def _letter(tx: Tx, world: World, flow: Flow, row: Mapping[str, Any]) -> int:
    contact_id = contacts.find(tx, str(row["contact"]))
    standing = None if contact_id is None else conversations.newest(tx, contact_id, world.slug)
    if contact_id is None or standing is None:
        raise InvalidDocument([Mistake("setup.outbox", f"nobody is called {row['contact']!r}")])
    values = contact_values.values(contacts.row(tx, contact_id))
    environment = {**standing.snapshot.context, **{f"contact.{n}": v for n, v in values.items()}}
    action = str(row["action"])
    spec = flow.actions.get(action)
    if not isinstance(spec, Send):
        raise InvalidDocument([Mistake("setup.outbox", f"{action!r} is not a send of the flow")])
    payload = list(letters(flow, spec, environment, "pt-BR"))[-1][2]
    status, at = str(row.get("status", "pending")), instant(row.get("at", 0))
    letter = Letter(
        action=action,
        cause="clock" if flow.states[standing.snapshot.state].look is Look.RECOVERY else "message",
        state=standing.snapshot.state,
        payload=payload,
        parts=int(row.get("parts", 1)),
        status=status,
    )
    written = outbox.put(tx, letter, standing.id, contact_id, standing.channel_id, at)
    if written is None:
        raise InvalidDocument([Mistake("setup.outbox", "cannot be written")])
    changes: dict[str, Any] = {"sent_at": at} if status == "sent" else {}
    if status == "sending":
        changes["lease_until"] = at + KEPT_FLYING
    if row.get("provider_id"):
        changes["provider_id"] = row["provider_id"]
    outbox.settle(tx, written, status, **changes)
    return placing.renumber(tx, written, int(row["id"]), attempt=1 if status in ("sending", "sent") else 0)


def _message(tx: Tx, world: World, row: Mapping[str, Any]) -> None:
    contact_id = contacts.find(tx, str(row["contact"]))
    standing = None if contact_id is None else conversations.newest(tx, contact_id, world.slug)
    if contact_id is None or standing is None or standing.channel_id is None:
        raise InvalidDocument([Mistake("setup.inbound", f"nobody is called {row['contact']!r}")])
    at = instant(row.get("at", 0))
    message = Message(
        provider_id=str(row["id"]), person=Person(phone=str(row["contact"])), at=at, kind="text", text="oi"
    )
    processed = row.get("processed", True)
    inbox.store(tx, standing.channel_id, standing.id, contact_id, message, at, ignored="before" if processed else None)
    if not processed:
        conversations.note_arrival(tx, standing, standing.channel_id, at, at, at)
