"""The world of a scenario at T0: flows, channels, sources, people, letters and messages that exist before it begins."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from engine.adapters.payments import registry
from engine.core.canonical import canonical
from engine.core.document import read_text
from engine.core.errors import InvalidDocument, Mistake
from engine.core.flow import Flow
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.services import approval_requests, channels, sources, transcription
from engine.services.channels import ChannelRecord
from engine.services.scenarios import people
from engine.services.scenarios.format import EPOCH, Scenario
from engine.services.scenarios.reference import document
from engine.services.sources import SourceRecord
from engine.store import flows
from engine.store.connection import Tx

AUTHOR = "scenario"
ACTOR = Actor(AUTHOR)
PROVIDER = "https://provider.example"
"""Where everything that the scenario's people use is reached."""
ROWS = ("conversations", "outbox", "inbound")


@dataclass(slots=True)
class World:
    """What the inputs need to find their way: tokens, secrets, and the ids that the scenario uses."""

    slug: str = ""
    tree: dict[str, Any] = field(default_factory=dict)
    flows: dict[str, Flow] = field(default_factory=dict)
    channels: list[ChannelRecord] = field(default_factory=list)
    sources: dict[str, SourceRecord] = field(default_factory=dict)
    conversations: dict[str, int] = field(default_factory=dict)
    preset_rows: frozenset[int] = frozenset()
    flying_rows: frozenset[int] = frozenset()
    """Of those, the ones that left before T0: what becomes of them is no new message."""

    def channel(self, kind: str, payload: Mapping[str, Any]) -> ChannelRecord | None:
        """The channel that a body is for: of several of one kind the one that it names, else the first."""
        found = [c for c in self.channels if c.config.kind == kind]
        text = canonical(payload) if len(found) > 1 else ""
        for record in found:
            name = record.config.settings.get("instance" if kind == "evolution" else "phone_number_id")
            if name and f'"{name}"' in text:
                return record
        return found[0] if found else None


async def build(runtime: Runtime, scenario: Scenario) -> World:
    """Write everything that `setup` names. Raises InvalidDocument, NotFound, Refused."""
    setup, world = scenario.setup, World()
    world.tree = document(setup.get("flow", "venda"), setup.get("set") or {})
    main = _flow(canonical(world.tree))
    world.slug = main.slug
    standing = setup.get("conversations") or []
    others = [canonical(document(flow, {})) for flow in setup.get("more_flows") or []]
    texts = {main.slug: canonical(world.tree), **{_flow(text).slug: text for text in others}}
    for slug in dict.fromkeys([*texts, *(str(row["flow"]) for row in standing if row.get("flow"))]):
        text = texts.get(slug) or canonical(document(slug, {}))
        world.flows[slug] = _flow(text)
        versions = [int(row.get("flow_version") or 1) for row in standing if (row.get("flow") or main.slug) == slug]
        await _publish(runtime, world.flows[slug], text, max([1, *versions]))
    for row in [setup.get("channel") or {"kind": "whatsapp_cloud"}, *(setup.get("more_channels") or [])]:
        await _channel(runtime, world, row)
    for row in setup.get("sources") or []:
        await _source(runtime, world, row)
    if all(fault["what"] != "no_transcription_service" for fault in setup.get("faults") or []):
        await transcription.set_service(runtime, ACTOR, {"base_url": PROVIDER})
    await extend(runtime, world, {}, setup)
    return world


@lru_cache(maxsize=4)
def _flow(text: str) -> Flow:
    """Most scenarios run on the same document. Raises InvalidDocument."""
    return read_text(text)


async def extend(runtime: Runtime, world: World, setup: Mapping[str, Any], more: Mapping[str, Any]) -> None:
    """Add the people, letters and messages of `more` that `setup` has not got: a fixture that repeats it, or that
    only tells about it, adds nothing.
    """
    fresh = {
        name: [row for row in more[name] if row not in (setup.get(name) or [])]
        for name in ROWS
        if isinstance(more.get(name), list)
    }

    def unit(tx: Tx) -> tuple[dict[str, int], list[int]]:
        made: dict[str, int] = {}
        now = runtime.clock.now()
        for row in fresh.get("conversations", ()):
            slug = str(row.get("flow") or world.slug)
            put = people.conversation(tx, world.flows[slug], world.channels[0].id, row, AUTHOR)
            for conversation_id in put.values() if world.flows[slug].decides else ():
                approval_requests.sync(tx, runtime, conversation_id, now, "setup")
            made |= put
        letters = [people.letter(tx, world.flows[world.slug], row) for row in fresh.get("outbox", ())]
        for row in fresh.get("inbound", ()):
            people.message(tx, world.slug, row)
        return made, letters

    made, letters = await runtime.store.write("setup", unit)
    world.conversations |= made
    world.preset_rows |= frozenset(letters)
    world.flying_rows |= {
        r["id"] for r in fresh.get("outbox", ()) if r.get("status", "pending") not in ("pending", "held")
    }


async def _publish(runtime: Runtime, flow: Flow, text: str, versions: int) -> None:
    def unit(tx: Tx) -> None:
        flows.add(tx, slug=flow.slug, title=flow.title.within("pt-BR"), text=text, now=EPOCH, who=AUTHOR)
        for _ in range(versions):
            flows.publish(tx, slug=flow.slug, text=text, sha256=flow.sha256, note="", author=AUTHOR, now=EPOCH)

    await runtime.store.write("setup", unit)


async def _channel(runtime: Runtime, world: World, row: Mapping[str, Any]) -> None:
    kind = str(row["kind"])
    values = {
        "whatsapp_cloud": {
            "phone_number_id": "100000000000001",
            "app_secret": "segredo-do-cenario",
            "access_token": "ficha-do-cenario",
            "verify_token": "verificacao",
            "base_url": PROVIDER,
        },
        "evolution": {
            "instance": "loja-teste",
            "api_key": str(row.get("apikey") or "chave-do-cenario"),
            "base_url": PROVIDER,
            "pacing": "off",
        },
    }.get(kind, {})
    given = {n: value for n, value in row.items() if n not in ("kind", "apikey", "flow") and value is not None}
    values |= {n: str(v).lower() if isinstance(v, bool) else str(v) for n, v in given.items()}
    token = f"canal-do-cenario-{len(world.channels) + 1}"
    slug = str(row.get("flow") or world.slug)
    world.channels.append(await channels.add(runtime, kind, token, ACTOR, token=token, flow=slug, values=values))


async def _source(runtime: Runtime, world: World, row: Mapping[str, Any]) -> None:
    name = str(row["platform"])
    if name in world.sources:
        raise InvalidDocument([Mistake("setup.sources", f"{name} is there twice")])
    values = {key: f"segredo-do-cenario-{key}" for key in registry.platform(name).secrets}
    values |= {key: str(value) for key, value in row.items() if key not in ("platform", "flow")}
    slug = str(row.get("flow") or world.slug)
    token = f"fonte-do-cenario-{len(world.sources) + 1}"
    world.sources[name] = await sources.add(runtime, name, token, slug, ACTOR, token=token, values=values)
