"""Campaigns: planned and counted, started once, stopped and resumed, told how far they came (R71, R75)."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from engine.core.campaigns import MOST_A_DAY, MOST_A_MINUTE, Filter
from engine.core.errors import NotFound, Refused
from engine.core.flow import Flow, Millis
from engine.core.guards.scope import CONTACT
from engine.core.permissions import Actor
from engine.core.platform_templates import APPROVED, Template, sendable, wanted
from engine.runtime import Runtime
from engine.services.campaign_sold import sold
from engine.services.campaign_sweep import trouble
from engine.store import (
    audience,
    audit,
    campaign_progress,
    campaigns,
    channels,
    conversations,
    flows,
    outbox,
    templates,
)
from engine.store.campaign_progress import Progress
from engine.store.campaigns import PAUSED, RUNNING, STOPPED, Campaign
from engine.store.connection import Tx

__all__ = ["Count", "Plan", "Shown", "everything", "one", "pause", "planned", "resume", "start", "stop"]

NAME_LONGEST, VALUE_LONGEST = 80, 300
HELD = "campaign_paused"
_GAP = re.compile(r"\{\{\s*(?P<name>[^{}|]*?)\s*(?:\|[^{}]*)?\}\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What somebody wants to send. `channel_id`, `template` and `language` name one approved template."""

    name: str
    flow: str
    channel_id: int
    template: str
    language: str
    params: tuple[str, ...] = ()
    filter: Filter = field(default_factory=Filter)
    per_minute: int = 30
    per_day: int = 250


@dataclass(frozen=True, slots=True)
class Count:
    """How many people a plan reaches, how many it leaves out for each reason, and the template that they would get."""

    reached: int
    left_out: Mapping[str, int]
    template: Template


@dataclass(frozen=True, slots=True)
class Shown:
    """A campaign with what became of its people."""

    campaign: Campaign
    progress: Progress
    channel: str


async def planned(runtime: Runtime, plan: Plan) -> Count:
    """What starting it now would do.

    Raises Refused: name_unusable, campaign_flow, campaign_template, campaign_shape, campaign_values,
    campaign_value_unknown, campaign_pace, and the codes of `campaign_sweep.trouble`.
    """
    return await runtime.store.read(lambda tx: _counted(tx, runtime, plan))


async def start(runtime: Runtime, plan: Plan, token: str, seen: int, actor: Actor) -> int:
    """Start it for the people who are reached now; its number, the same for the same form.

    Raises as `planned` does, Refused("campaign_changed") when it is not the `seen` number of people any more, and
    Refused("campaign_nobody").
    """

    def unit(tx: Tx) -> int:
        before = campaigns.by_token(tx, token)
        if before is not None:
            return before
        now = runtime.clock.now()
        count = _counted(tx, runtime, plan)
        if count.reached != seen:
            raise Refused("campaign_changed", reached=count.reached)
        if not count.reached:
            raise Refused("campaign_nobody")
        number = campaigns.add(
            tx,
            Campaign(
                token=token,
                name=plan.name.strip(),
                flow=plan.flow,
                channel_id=plan.channel_id,
                template=plan.template,
                language=plan.language,
                params=plan.params,
                filter=plan.filter,
                per_minute=plan.per_minute,
                per_day=plan.per_day,
                next_at=now,
                who=actor.who,
                created_at=now,
            ),
        )
        if number is None:
            raise Refused("campaign_changed", reached=count.reached)
        audience.enlist(tx, number, plan.filter, sold(tx, runtime.flows, plan.flow), now)
        facts = {"campaign": number, "template": plan.template, "flow": plan.flow, "people": count.reached}
        audit.note(tx, now, actor, "campaign.started", subject=plan.name.strip(), facts=facts)
        return number

    return await runtime.store.write("campaigns", unit)


async def pause(runtime: Runtime, campaign_id: int, actor: Actor) -> None:
    """Nothing more of it leaves until somebody resumes it. Raises NotFound, Refused("campaign_over")."""
    await _turned(runtime, campaign_id, PAUSED, "by_person", actor, "campaign.paused")


async def stop(runtime: Runtime, campaign_id: int, actor: Actor) -> None:
    """Nothing more of it ever leaves. Raises as `pause` does."""
    await _turned(runtime, campaign_id, STOPPED, "by_person", actor, "campaign.stopped")


async def resume(runtime: Runtime, campaign_id: int, actor: Actor) -> None:
    """It goes on where it stood. Raises as `pause` does, and Refused with the code of what is still wrong."""

    def unit(tx: Tx, now: Millis, campaign: Campaign) -> None:
        if (why := trouble(tx, campaign)) is not None:
            raise Refused(why)
        for row in campaign_progress.held(tx, campaign.id, HELD):
            outbox.settle(tx, row.id, "pending", due_at=now, reason=None)

    await _turned(runtime, campaign_id, RUNNING, "", actor, "campaign.resumed", unit)


async def everything(runtime: Runtime) -> list[Shown]:
    """The newest first."""

    def unit(tx: Tx) -> list[Shown]:
        names = {channel.id: channel.name for channel in channels.TABLE.everything(tx)}
        return [
            Shown(made, campaign_progress.progress(tx, made.id), names.get(made.channel_id, ""))
            for made in campaigns.everything(tx)
        ]

    return await runtime.store.read(unit)


async def one(runtime: Runtime, campaign_id: int) -> Shown:
    """One of them. Raises NotFound."""

    def unit(tx: Tx) -> Shown | None:
        made = campaigns.get(tx, campaign_id)
        if made is None:
            return None
        channel = channels.TABLE.by_id(tx, made.channel_id)
        return Shown(made, campaign_progress.progress(tx, made.id), "" if channel is None else channel.name)

    found = await runtime.store.read(unit)
    if found is None:
        raise NotFound("campaign", campaign_id)
    return found


async def _turned(
    runtime: Runtime,
    campaign_id: int,
    status: str,
    reason: str,
    actor: Actor,
    what: str,
    also: Callable[[Tx, Millis, Campaign], None] | None = None,
) -> None:
    def unit(tx: Tx) -> None:
        now = runtime.clock.now()
        campaign = campaigns.get(tx, campaign_id, lock=True)
        if campaign is None:
            raise NotFound("campaign", campaign_id)
        if campaign.status not in (RUNNING, PAUSED):
            raise Refused("campaign_over")
        if also is not None:
            also(tx, now, campaign)
        campaigns.turn(tx, campaign.id, status, reason, now)
        audit.note(tx, now, actor, what, subject=campaign.name, facts={"campaign": campaign.id, "was": campaign.status})

    await runtime.store.write(f"campaign:{campaign_id}", unit)


def _counted(tx: Tx, runtime: Runtime, plan: Plan) -> Count:
    now = runtime.clock.now()
    name = plan.name.strip()
    if not 0 < len(name) <= NAME_LONGEST or not name.isprintable():
        raise Refused("name_unusable", longest=NAME_LONGEST)
    if not (0 < plan.per_minute <= MOST_A_MINUTE and 0 < plan.per_day <= MOST_A_DAY):
        raise Refused("campaign_pace", minute=MOST_A_MINUTE, day=MOST_A_DAY)
    number = conversations.live_version(tx, plan.flow)
    if number is None or flows.draft(tx, plan.flow) is None:
        raise Refused("campaign_flow")
    known = templates.get(tx, plan.channel_id, plan.template, plan.language)
    if known is None or known.template.status != APPROVED:
        raise Refused("campaign_template")
    if not sendable(known.template):
        raise Refused("campaign_shape")
    _require_values(runtime.flows.within(tx, plan.flow, number), plan, known.template)
    if (why := trouble(tx, plan)) is not None:
        raise Refused(why)
    found = audience.counts(tx, plan.filter, sold(tx, runtime.flows, plan.flow), now)
    reached = found.pop(None, 0)
    return Count(reached, {str(reason): n for reason, n in found.items()}, known.template)


def _require_values(flow: Flow, plan: Plan, template: Template) -> None:
    given = [text.strip() for text in plan.params]
    if len(given) != wanted(template) or not all(given) or any(len(text) > VALUE_LONGEST for text in given):
        raise Refused("campaign_values", wanted=wanted(template))
    for text in given:
        for gap in _GAP.finditer(text):
            if gap["name"] not in flow.context and gap["name"] not in CONTACT:
                raise Refused("campaign_value_unknown", name=gap["name"])
