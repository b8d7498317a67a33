"""The platform's templates here: brought up to date, news of them applied, new ones handed in (R28)."""

from dataclasses import dataclass

from engine.adapters.channels import cloud_templates
from engine.adapters.channels.protocol import ChannelConfig
from engine.core.errors import NotFound, Refused
from engine.core.flow import Millis
from engine.core.inbound import ChannelNews
from engine.core.permissions import Actor
from engine.core.platform_templates import APPROVED, CATEGORIES, OFF, QUALITIES, Proposal, Template, problems
from engine.runtime import Runtime
from engine.services import channels, holding
from engine.services.channels import ChannelRecord
from engine.store import audit, holds, templates
from engine.store.connection import Tx
from engine.store.templates import Known

KIND = "whatsapp_cloud"
"""The kind of channel that has templates."""
ON = frozenset({APPROVED, "REINSTATED", "UNPAUSED", "UNLOCKED", "UNARCHIVED"})
"""Words of the platform's news after which a template may be sent again."""


@dataclass(frozen=True, slots=True)
class Synced:
    """What a listing held."""

    channel: str
    templates: int
    approved: int


async def channels_with_templates(runtime: Runtime) -> list[ChannelRecord]:
    """The channels in use that have templates."""
    return [record for record in await channels.everything(runtime) if record.config.kind == KIND]


async def everything(runtime: Runtime) -> list[Known]:
    """All templates of channels in use."""
    return await runtime.store.read(templates.everything)


async def by_name(runtime: Runtime) -> dict[tuple[str, str], Template]:
    """Those of channels in use by name and language; of several channels' alike ones any."""
    return {(known.template.name, known.template.language): known.template for known in await everything(runtime)}


async def one(runtime: Runtime, channel_id: int, name: str, language: str) -> Known:
    """One of them. Raises NotFound."""
    found = await runtime.store.read(lambda tx: templates.get(tx, channel_id, name, language))
    if found is None:
        raise NotFound("template", f"{name}/{language}")
    return found


async def sync(runtime: Runtime, channel_id: int, actor: Actor) -> Synced:
    """Ask the platform for all templates of a channel; letters that waited for one leave, others begin to wait.

    Raises NotFound and Refused as `cloud_templates.listing` does: then nothing changes.
    """
    config = await _config(runtime, channel_id)
    told = await cloud_templates.listing(runtime.http, config)

    def unit(tx: Tx) -> None:
        now = runtime.clock.now()
        for template in told:
            templates.put(tx, channel_id, template, now)
            _kept(tx, now, channel_id, template.name, template.language, template.status, template.reason)
        for name, language in templates.forget_others(tx, channel_id, now):
            _kept(tx, now, channel_id, name, language, "DELETED", "")
        audit.note(tx, now, actor, "templates.synced", subject=config.name, facts={"templates": len(told)})

    await runtime.store.write(f"channel:{channel_id}", unit)
    return Synced(config.name, len(told), sum(template.status == APPROVED for template in told))


async def propose(runtime: Runtime, channel_id: int, proposal: Proposal, actor: Actor) -> Template:
    """Hand a template in to the platform, which judges it.

    Raises NotFound, Refused("template_unusable", problems=…), Refused("template_there") and as `sync` does.
    """
    config = await _config(runtime, channel_id)
    if wrong := tuple(problems(proposal)):
        raise Refused("template_unusable", problems=wrong)
    there = await runtime.store.read(lambda tx: templates.get(tx, channel_id, proposal.name, proposal.language))
    if there is not None and there.template.status != "DELETED":
        raise Refused("template_there")
    made = await cloud_templates.propose(runtime.http, config, proposal)

    def unit(tx: Tx) -> None:
        now = runtime.clock.now()
        templates.put(tx, channel_id, made, now)
        facts = {"language": made.language, "category": made.category, "channel": config.name}
        audit.note(tx, now, actor, "template.proposed", subject=made.name, facts=facts)

    await runtime.store.write(f"channel:{channel_id}", unit)
    return made


def news(tx: Tx, now: Millis, channel_id: int, item: ChannelNews) -> None:
    """The platform says something about a template: its state, its quality or its category.

    Letters with one that was switched off wait until the platform takes it again, or a person decides about them.
    """
    state = item.state or ""
    if item.template is None or item.language is None:
        return
    if state in QUALITIES:
        changes = {"quality": state}
    elif state in CATEGORIES:
        changes = {"category": state}
    else:
        changes = {"status": APPROVED if state in ON else state, "reason": item.detail or ""}
        _kept(tx, now, channel_id, item.template, item.language, state, item.detail or "")
    templates.learn(tx, channel_id, item.template, item.language, now, changes)


def _kept(tx: Tx, now: Millis, channel_id: int, name: str, language: str, status: str, reason: str) -> None:
    """Hold back or let go of what would use the template."""
    subject = f"{name}/{language}"
    if status in OFF:
        holding.template_off(tx, now, channel_id, subject, reason or status)
    elif status in ON:
        holding.let_go(tx, now, channel_id, holds.TEMPLATE, subject, by="platform")


async def _config(runtime: Runtime, channel_id: int) -> ChannelConfig:
    record = await channels.CHANNELS.by_id(runtime, channel_id)
    if record.config.kind != KIND:
        raise NotFound("channel", channel_id)
    return record.config
