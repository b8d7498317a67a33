"""Campaigns as pages show them: the form of a plan, what it would do, how far one came."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.core.campaigns import Filter
from engine.core.platform_templates import APPROVED, filled, sendable, wanted, words
from engine.services.campaigns import Count, Plan, Shown
from engine.store.campaigns import PAUSED, RUNNING
from engine.store.contact_files import StoredFile
from engine.store.templates import Known
from web import campaign_words, forms
from web.i18n import gettext
from web.words import moment, number

__all__ = ["Choices", "ShownCampaign", "ShownCount", "choices", "plan_of", "shown_campaign", "shown_count"]

MOST_VALUES = 20
"""Of one text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What the form offers. A template is offered with its number: `channel/name/language`."""

    flows: tuple[tuple[str, str], ...]
    states: tuple[tuple[str, str], ...]
    templates: tuple["Offer", ...]
    tags: tuple[str, ...]
    files: tuple[tuple[int, str], ...]

    def chosen(self, typed: str) -> "Offer | None":
        """The template that was asked for, else the first."""
        return next((one for one in self.templates if one.id == typed), next(iter(self.templates), None))


class Offer(NamedTuple):
    """A template of the form: its id there, what it is called, how many values it wants, its text."""

    id: str
    name: str
    values: int
    text: str


@dataclass(frozen=True, slots=True)
class ShownCount:
    """What starting would do."""

    reached: int
    left_out: tuple[tuple[str, str], ...]
    text: str
    total: int
    long: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownCampaign:
    """A campaign with its figures; `steps` are label, count and share in a hundred of the people reached."""

    id: int
    name: str
    chip: tuple[str, str, str]
    standing: str
    waits_for: str
    open: bool
    paused: bool
    about: str
    when: str
    who: str
    template: str
    pace: str
    waiting: int
    total: int
    steps: tuple[tuple[str, str, int], ...]
    left_out: tuple[tuple[str, str], ...]


def choices(
    flows: Sequence[tuple[str, str, Sequence[str]]],
    templates: Sequence[Known],
    channels: Mapping[int, str],
    tag_lists: Sequence[str],
    files: Sequence[StoredFile],
) -> Choices:
    """`flows` are slug, title and states of those that are live."""
    offered = [
        k for k in templates if k.template.status == APPROVED and sendable(k.template) and k.channel_id in channels
    ]
    return Choices(
        flows=tuple((slug, title) for slug, title, _ in flows),
        states=tuple((f"{slug}/{state}", f"{title}: {state}") for slug, title, states in flows for state in states),
        templates=tuple(
            Offer(
                f"{k.channel_id}/{k.template.name}/{k.template.language}",
                f"{k.template.name} · {k.template.language} · {channels[k.channel_id]}",
                wanted(k.template),
                words(k.template),
            )
            for k in offered
        ),
        tags=tuple(sorted({tag for tags in tag_lists for tag in json.loads(tags)})),
        files=tuple((file.id, f"{file.name} · {moment(file.at)}") for file in files),
    )


def plan_of(typed: Mapping[str, str]) -> Plan:
    """What a form asks to send; what is not there is refused where plans are judged."""
    channel, _, rest = typed.get("template", "").partition("/")
    name, _, language = rest.rpartition("/")
    in_flow, _, state = typed.get("state", "").partition("/")
    given = [typed.get(f"value.{n}", "").strip() for n in range(1, MOST_VALUES + 1)]
    while given and not given[-1]:
        given.pop()
    return Plan(
        name=typed.get("name", ""),
        flow=typed.get("flow", ""),
        channel_id=forms.whole(channel) or 0,
        template=name,
        language=language,
        params=tuple(given),
        filter=Filter(
            flow=in_flow or typed.get("in_flow", ""),
            state=state,
            tag=typed.get("tag", ""),
            file_id=forms.whole(typed.get("file")),
        ),
        per_minute=forms.whole(typed.get("per_minute")) or 0,
        per_day=forms.whole(typed.get("per_day")) or 0,
    )


def shown_count(count: Count, plan: Plan) -> ShownCount:
    """What a plan would do, in the current language."""
    left_out = sorted(count.left_out.items(), key=lambda item: -item[1])
    days, minutes = -(-count.reached // plan.per_day), -(-count.reached // plan.per_minute)
    if days > 1:
        long = gettext("about %(n)s days, because of the most per day") % {"n": number(days)}
    else:
        long = gettext("about %(n)s min, outside the quiet hours") % {"n": number(max(1, minutes))}
    return ShownCount(
        reached=count.reached,
        left_out=tuple((campaign_words.left_out(reason), number(n)) for reason, n in left_out),
        text=filled(words(count.template), plan.params),
        total=count.reached + sum(count.left_out.values()),
        long=long,
    )


def shown_campaign(shown: Shown) -> ShownCampaign:
    """A campaign in the current language."""
    made, told = shown.campaign, shown.progress
    total = told.waiting + told.taken
    counts = (
        (gettext("Sent out"), told.sent),
        (gettext("Delivered"), told.delivered),
        (gettext("Read"), told.read),
        (gettext("Answered"), told.answered),
        (gettext("Failed"), told.failed),
        (gettext("Held back"), told.held),
        (gettext("Not sent"), told.not_sent),
    )
    pace = gettext("%(minute)s a minute, %(day)s a day at most") % {
        "minute": number(made.per_minute),
        "day": number(made.per_day),
    }
    return ShownCampaign(
        id=made.id,
        name=made.name,
        chip=campaign_words.status(made.status),
        standing=campaign_words.standing(made.reason) if made.status == PAUSED else "",
        waits_for=campaign_words.waits_for(made.reason, moment(made.next_at)) if made.status == RUNNING else "",
        open=made.status in (RUNNING, PAUSED),
        paused=made.status == PAUSED,
        about=f"{made.flow} · {shown.channel}",
        when=moment(made.created_at),
        who=made.who,
        template=f"{made.template} · {made.language}",
        pace=pace,
        waiting=told.waiting,
        total=total,
        steps=tuple((label, number(n), round(100 * n / total) if total else 0) for label, n in counts),
        left_out=tuple(
            (campaign_words.left_out(reason), number(n))
            for reason, n in sorted(told.left_out.items(), key=lambda item: -item[1])
        ),
    )
