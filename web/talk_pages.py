"""A conversation's page assembled: transcript, bar, the panel of the chosen tab, who needs somebody, who is here."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.core.errors import NotFound
from engine.core.flow import Look
from engine.core.permissions import Permission
from engine.runtime import Runtime
from engine.services import approval_queue, live_news, transcript, why
from engine.services.supervise import CANCELLED
from engine.services.transcript import Page
from web.approval_cards import ApprovalCard, approval_card
from web.desk_words import called, moment_of, phoned
from web.log_words import action_label
from web.matching_words import ShownTalk, talks
from web.needing import Needy, needy
from web.talk_data import data_of
from web.talk_hand import Hand, hand
from web.talk_here import here
from web.talk_timeline import DEPTHS, Row, timeline
from web.talk_words import UNDECIDED, Bar, Bubble, bar, bubbles, fate, look_of
from web.visitor import Visitor
from web.why_now import NOW, standing
from web.why_steps import Chain
from web.why_words import chain

__all__ = ["TABS", "Sending", "Talk", "beat", "sending", "talk"]

TABS = ("why", "timeline", "sends", "data", "hand")


@dataclass(frozen=True, slots=True)
class Sending:
    """One letter of the tab of sends. `undecided`: a person says whether it arrived; `may_stop`: it can be taken back;
    `kept`: a pause holds it back.
    """

    id: int
    action: str
    text: str
    status: str
    fate: str
    attempts: int
    when: str
    undecided: bool
    event: str
    may_stop: bool = False
    kept: bool = False


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
    depth: str
    timeline: tuple[Row, ...]
    sends: tuple[Sending, ...]
    data: Mapping[str, list[tuple[str, str]]]
    talks: tuple[ShownTalk, ...]
    others: tuple[Needy, ...]
    approval: ApprovalCard | None
    here: tuple[str, ...]
    hand: Hand | None


async def talk(
    runtime: Runtime,
    conversation_id: int,
    person: Visitor,
    *,
    tab: str = "",
    msg: str = "",
    depth: str = "",
    others: bool = False,
) -> Talk:
    """Everything, in the current language. Raises NotFound. `others`: with the list of those that need somebody and of
    those who are here; `depth` is how deep the timeline goes.
    """
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
        depth=depth if depth in DEPTHS else DEPTHS[0],
        timeline=await timeline(runtime, page, depth, phones=phones) if shown == "timeline" else (),
        sends=tuple(sending(page, letter) for letter in reversed(page.letters)) if shown == "sends" else (),
        data=data_of(page, phones=phones) if shown == "data" else {},
        talks=talks(page.talks, page.now) if shown == "data" else (),
        others=await needy(runtime, phones=phones) if others else (),
        approval=approval_card(waiting, page.now, person) if waiting is not None else None,
        here=await here(runtime, conversation_id, person) if others else (),
        hand=await hand(runtime, page) if shown == "hand" and person.may(Permission.CONVERSE) else None,
    )


def beat(pulse: str, now: int) -> str:
    """The pulse with the half minute: what the page says about time is told again even when nothing happens."""
    return f"{pulse}-{now // 30_000}"


async def _chain(runtime: Runtime, page: Page, ref: str, *, phones: bool) -> Chain | None:
    if ref == NOW:
        return standing(page)
    try:
        found = await why.why(runtime, page.id, ref)
    except NotFound:
        return None
    return chain(page, found, phones=phones)


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
        may_stop=letter["status"] in CANCELLED,
        kept=letter["status"] == "held" and letter["reason"] == "paused",
    )
