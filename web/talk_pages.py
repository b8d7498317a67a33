"""A conversation's page assembled: transcript, bar, the panel of the chosen tab, the list of those that need somebody."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.core.errors import NotFound
from engine.core.flow import Field, FieldType, Flow, Look
from engine.core.permissions import Permission
from engine.runtime import Runtime
from engine.services import approval_queue, live, live_news, transcript, why
from engine.services.transcript import Page
from web import i18n
from web.approval_cards import ApprovalCard, approval_card
from web.desk_words import brief, called, emailed, moment_of, money, named, phoned
from web.i18n import gettext
from web.live_words import ShownCard, shown_card
from web.log_words import Told, action_label, facts_of, told
from web.matching_words import ShownTalk, talks
from web.talk_words import Bar, Bubble, bar, bubbles, fate, look_of
from web.visitor import Visitor
from web.why_words import Chain, chain

__all__ = ["TABS", "Sending", "Talk", "data_of", "sending", "talk"]

TABS = ("why", "timeline", "sends", "data")
UNDECIDED = ("failed", "review", "uncertain")


@dataclass(frozen=True, slots=True)
class Sending:
    """One letter of the tab of sends. `undecided`: a person says whether it arrived."""

    id: int
    action: str
    text: str
    status: str
    fate: str
    attempts: int
    when: str
    undecided: bool
    event: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """What the templates of conversations/ read."""

    page: Page
    pulse: str
    name: str
    phone: str
    look: Look
    bar: Bar
    tab: str
    msg: str
    asked: bool
    bubbles: tuple[Bubble, ...]
    held: tuple[Sending, ...]
    chain: Chain | None
    timeline: tuple[tuple[str, Told, list[tuple[str, str]]], ...]
    sends: tuple[Sending, ...]
    data: Mapping[str, list[tuple[str, str]]]
    talks: tuple[ShownTalk, ...]
    others: tuple[ShownCard, ...]
    approval: ApprovalCard | None


async def talk(
    runtime: Runtime, conversation_id: int, person: Visitor, *, tab: str = "", msg: str = "", others: bool = False
) -> Talk:
    """Everything, in the current language. Raises NotFound. `others`: with the list of those that need somebody."""
    phones = person.may(Permission.PHONES)
    pulse = await live_news.pulse(runtime, conversation_id)
    page = await transcript.page(runtime, conversation_id)
    waiting = await approval_queue.in_conversation(runtime, conversation_id)
    shown = tab if tab in TABS else TABS[0]
    lines = tuple(bubbles(page))
    ref = msg or next((line.ref for line in reversed(lines) if line.kind in ("bot", "hum", "lead")), "")
    return Talk(
        page=page,
        pulse=beat(pulse, page.now),
        name=called(page.name, page.phone, whole=phones),
        phone=phoned(page.phone, whole=phones),
        look=look_of(page, page.state),
        bar=bar(page),
        tab=shown,
        msg=msg,
        asked=bool(tab or msg),
        bubbles=lines,
        held=tuple(sending(page, letter) for letter in page.held),
        chain=await _chain(runtime, page, ref, phones=phones) if shown == "why" and ref else None,
        timeline=_timeline(page, phones=phones) if shown == "timeline" else (),
        sends=tuple(sending(page, letter) for letter in reversed(page.letters)) if shown == "sends" else (),
        data=data_of(page, phones=phones) if shown == "data" else {},
        talks=talks(page.talks, page.now) if shown == "data" else (),
        others=await _others(runtime, phones=phones) if others else (),
        approval=approval_card(waiting, page.now, person) if waiting is not None else None,
    )


def beat(pulse: str, now: int) -> str:
    """The pulse with the half minute: what the page says about time is told again even when nothing happens."""
    return f"{pulse}-{now // 30_000}"


async def _chain(runtime: Runtime, page: Page, ref: str, *, phones: bool) -> Chain | None:
    try:
        found = await why.why(runtime, page.id, ref)
    except NotFound:
        return None
    return chain(page, found, phones=phones)


def _timeline(page: Page, *, phones: bool) -> tuple[tuple[str, Told, list[tuple[str, str]]], ...]:
    return tuple(
        (
            moment_of(entry.at, page.now, page.flow.timezone),
            told(entry, page.flow, page.now),
            facts_of(entry, private=phones),
        )
        for entry in reversed(page.entries)
    )


def sending(page: Page, letter: Mapping[str, object]) -> Sending:
    """A letter as a row."""
    payload = letter["payload"]
    text = payload.get("text") if isinstance(payload, Mapping) else None
    at = letter["sent_at"] or letter["created_at"]
    return Sending(
        id=int(str(letter["id"])),
        action=action_label(page.flow, letter["action"]),
        text=str(text or ""),
        status=str(letter["status"]),
        fate=fate(page, letter),
        attempts=int(str(letter["attempt"])),
        when=moment_of(int(str(at)), page.now, page.flow.timezone),
        undecided=letter["status"] in UNDECIDED,
        event=str(letter["delivery"] or ""),
    )


def data_of(page: Page, *, phones: bool) -> dict[str, list[tuple[str, str]]]:
    """What is known: the flow's fields, the person's names."""
    context = []
    for name, value in page.context.items():
        field = page.flow.context.get(name)
        label = field.label if field is not None else None
        context.append((name if label is None else label.within(i18n.current()), _value(page, field, value)))
    identities = [
        (named(kind), phoned(seen, whole=phones) if kind != "reference" else seen) for kind, seen in page.identities
    ]
    email = emailed(page.email, whole=phones)
    return {
        "context": context,
        "identities": [*identities, *([(named("email"), email)] if email else [])],
    }


def _value(page: Page, field: Field | None, value: object) -> str:
    """A field as people write it; a sensitive one is dots already."""
    kind = field.type if field is not None else None
    if isinstance(value, int) and kind is FieldType.MONEY:
        return money(value)
    if isinstance(value, int) and kind is FieldType.TIMESTAMP:
        return moment_of(value, page.now, page.flow.timezone)
    if isinstance(value, int) and kind is FieldType.DURATION:
        return brief(value)
    if value is None:
        return "–"
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return str(value)


async def _others(runtime: Runtime, *, phones: bool) -> tuple[ShownCard, ...]:
    found = await live.in_need(runtime)
    now = runtime.clock.now()
    flows: dict[str, Flow] = {}
    shown = []
    for card in found:
        if card.flow not in flows:
            counts = await live_news.totals(runtime, card.flow)
            if counts is not None:
                flows[card.flow] = await runtime.flow(card.flow, counts.number)
        flow = flows.get(card.flow)
        state = flow.states.get(card.state) if flow is not None else None
        look = state.look if state is not None else Look.HUMAN
        shown.append(shown_card(card, now, look, phones=phones))
    return tuple(shown)
