"""Campaigns go on: a few people at a time, at their pace, outside the quiet hours, until nobody waits (R30, R37, R71).

Nothing is sent here: each person's letter goes into the outbox in the transaction that marks them as taken, and leaves
like every other letter, with every check made again (R27). What would do harm stops the campaign by itself.
"""

from dataclasses import dataclass
from functools import partial
from typing import Protocol

from engine.core.campaigns import failing, portion
from engine.core.events import Event
from engine.core.flow import DAY, SECOND, Flow, Millis, Source
from engine.core.interpreter import environment, opening
from engine.core.platform_templates import APPROVED
from engine.core.templating import render
from engine.core.windows import next_allowed
from engine.runtime import Flows, Runtime
from engine.services import contact_values
from engine.services.campaign_sold import sold
from engine.store import (
    audience,
    campaign_progress,
    campaigns,
    channels,
    contacts,
    conversations,
    holds,
    journal,
    outbox,
    templates,
)
from engine.store.audience import Sold
from engine.store.campaigns import CAUSE, DONE, FULL, PAUSED, QUIET, RUNNING, Campaign
from engine.store.connection import Tx
from engine.store.conversations import Conversation
from engine.store.journal import About, Record
from engine.store.outbox import Letter

__all__ = ["run", "trouble"]

ACTION = "campanha"
"""How the log calls the letter of a campaign."""
LAST_LETTERS = 5 * SECOND
"""How often a campaign of which nobody waits looks whether its last letters left: until then it can be stopped."""


class Sending(Protocol):
    """What a campaign, or the plan of one, sends: a template of a channel, in a flow."""

    @property
    def channel_id(self) -> int: ...
    @property
    def flow(self) -> str: ...
    @property
    def template(self) -> str: ...
    @property
    def language(self) -> str: ...


@dataclass(frozen=True, slots=True)
class _Going:
    """A campaign on its way: the version that its people enter, and what is sold."""

    campaign: Campaign
    flow: Flow
    number: int
    sold: Sold


async def run(runtime: Runtime, now: Millis) -> None:
    """Take the next people of every campaign that is due, each campaign in a transaction of its own."""
    for campaign_id in await runtime.store.read(lambda tx: campaigns.due(tx, now)):
        await runtime.store.write(f"campaign:{campaign_id}", partial(_step, runtime.flows, campaign_id, now))


def trouble(tx: Tx, campaign: Sending) -> str | None:
    """Why nothing of a campaign may leave now: its channel, its account or its template; None when nothing is wrong."""
    if channels.TABLE.by_id(tx, campaign.channel_id) is None:
        return "no_channel"
    if conversations.live_version(tx, campaign.flow) is None:
        return "flow_not_live"
    subject = f"{campaign.template}/{campaign.language}"
    held = holds.of(tx, campaign.channel_id, {holds.ACCOUNT: "", holds.TEMPLATE: subject})
    if held:
        return held[0].reason
    known = templates.get(tx, campaign.channel_id, campaign.template, campaign.language)
    return None if known is not None and known.template.status == APPROVED else "template_not_approved"


def _step(flows: Flows, campaign_id: int, now: Millis, tx: Tx) -> None:
    campaign = campaigns.get(tx, campaign_id, lock=True)
    if campaign is None or campaign.status != RUNNING or campaign.next_at > now:
        return  # somebody else was here, or stopped it
    why = trouble(tx, campaign)
    if why is None and failing(*campaign_progress.lately(tx, campaign.id, now - DAY)):
        why = "too_many_failures"
    if why is not None:
        campaigns.turn(tx, campaign.id, PAUSED, why, now)
        facts = {"campaign": campaign.id, "name": campaign.name, "to": "marketer"}
        journal.record(tx, now, About(channel_id=campaign.channel_id), Record(outcome="alert", reason=why, facts=facts))
        return
    number = conversations.live_version(tx, campaign.flow)
    assert number is not None
    flow = flows.within(tx, campaign.flow, number)
    free_at, reason = _free_at(tx, campaign, flow, now)
    if free_at > now:
        campaigns.wait(tx, campaign.id, free_at, reason)
        return
    people, pause = portion(campaign.per_minute)
    going = _Going(campaign, flow, number, sold(tx, flows, campaign.flow))
    next_people = campaigns.waiting(tx, campaign.id, people)
    for contact_id in next_people:
        why_not = _taken(tx, going, contact_id, now)
        if why_not is not None:
            campaigns.left_out(tx, campaign.id, contact_id, why_not)
    if len(next_people) == people:
        campaigns.wait(tx, campaign.id, now + pause)
    elif next_people or campaign_progress.unsettled(tx, campaign.id):
        campaigns.wait(tx, campaign.id, now + LAST_LETTERS)
    else:
        campaigns.turn(tx, campaign.id, DONE, "", now)


def _free_at(tx: Tx, campaign: Campaign, flow: Flow, now: Millis) -> tuple[Millis, str]:
    """When the next people may be taken, and why not now: the quiet hours, or as many in a day as the cap."""
    allowed = next_allowed(now, flow.settings.quiet_hours, flow.timezone)
    if allowed > now:
        return allowed, QUIET
    people, _ = portion(campaign.per_minute)
    latest = campaigns.taken_since(tx, campaign.channel_id, now - DAY, campaign.per_day)
    room = campaign.per_day - len(latest)
    return (now, "") if room >= min(people, campaign.per_day) else (latest[-1] + DAY, FULL)


def _taken(tx: Tx, going: _Going, contact_id: int, now: Millis) -> str | None:
    """Write the letter of one person, in their cycle of the flow; None, or why they are left out after all."""
    contacts.hold(tx, contact_id)
    why = audience.why_not(tx, contact_id, going.sold, now)
    if why is not None:
        return why
    campaign = going.campaign
    event_id = campaigns.event_id(campaign.id, contact_id)
    current = conversations.newest(tx, contact_id, campaign.flow)
    conversation = current or _opened(tx, going, contact_id, now)
    values = environment(
        conversation.snapshot,
        Event(id=event_id, type="", source=Source.API, at=now),
        now,
        contact_values.values(contacts.row(tx, contact_id)),
    )
    params = [render(going.flow, text, values).strip() for text in campaign.params]
    if not all(params):
        return "value_missing"
    template = {"name": campaign.template, "language": campaign.language, "params": params}
    letter = Letter(
        action=ACTION,
        cause=CAUSE,
        state=conversation.snapshot.state,
        payload={"text": None, "template": template},
        as_template=True,
        once_key=f"{CAUSE}:{campaign.id}",
        event_id=event_id,
    )
    if outbox.put(tx, letter, conversation.id, contact_id, campaign.channel_id, now) is None:
        return "written_before"
    campaigns.taken(tx, campaign.id, contact_id, conversation.id, now)
    facts = {"campaign": campaign.id, "name": campaign.name, "by": campaign.who, "opened": current is None}
    about = About(conversation_id=conversation.id, contact_id=contact_id, channel_id=campaign.channel_id)
    journal.record(tx, now, about, Record(outcome="note", reason=CAUSE, event_id=event_id, facts=facts))
    return None


def _opened(tx: Tx, going: _Going, contact_id: int, now: Millis) -> Conversation:
    """A cycle of the flow for somebody who has none (R71)."""
    slug, flow = going.campaign.flow, going.flow
    begun = opening(flow, now, f"open:{contact_id}:{slug}")
    return conversations.open_cycle(
        tx,
        contact_id,
        going.campaign.channel_id,
        slug,
        going.number,
        begun,
        now,
        hidden=flow.hidden,
        why={"route": CAUSE, "campaign": going.campaign.id},
    )
