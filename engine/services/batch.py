"""A burst of messages becomes one event: what the lead wants as a whole, with everything that explains it (R22 to R24)."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.core.classify import Fragment, Proposal, classify
from engine.core.events import Event
from engine.core.flow import Flow, Source, Value
from engine.core.folding import visible
from engine.services import choices
from engine.services.intake import declared, derived
from engine.store import outbox
from engine.store.connection import Tx
from engine.store.conversations import Conversation
from engine.store.inbox import Waiting

LATE = 60_000
PLAIN = ("text", "button", "list")
AUDIO = "audio"
UNHEARD = {"waiting": "late", "failed": "failed"}
"""What the log says of an audio that went without its words; anything else is an installation that cannot hear."""


@dataclass(frozen=True, slots=True)
class Batch:
    """The event of a burst, whether it asks to stop, and its words."""

    event: Event
    opts_out: bool
    said: str = ""


def gather(tx: Tx, flow: Flow, conversation: Conversation, waiting: Sequence[Waiting]) -> Batch:
    """Classify the burst; the table decides later (R24). Its id derives from its first message."""
    waiting = choices.understood(tx, conversation, waiting)
    stale = {w.id for w in waiting if _stale(tx, conversation, w)}
    fragments = [
        Fragment(text=w.said, button_id=None if w.id in stale else w.button_id, kind=w.kind)
        for w in waiting
        if w.id not in stale
    ]
    proposal: Proposal = classify(flow, fragments)
    media = [w for w in waiting if w.kind not in PLAIN]
    said = "\n".join(w.said for w in waiting if visible(w.said))
    given: dict[str, Value] = {
        "text": said or None,
        "media": next((w.kind for w in media if w.kind != AUDIO or is_unheard(w)), None),
        "button": next((w.button_id for w in waiting if w.button_id and w.id not in stale), None),
    }
    event = Event(
        id=derived("in", min(w.id for w in waiting)),
        type=proposal.event,
        source=Source.MESSAGE,
        at=max(w.at for w in waiting),
        data=declared(flow, proposal.event, given),
        facts=_facts(waiting, proposal, media, bool(stale)),
    )
    return Batch(event, opts_out=proposal.event in flow.opt_out_events, said=said)


def is_unheard(message: Waiting) -> bool:
    """Whether it is an audio without words, neither written by the gateway nor heard by us (R23)."""
    return message.kind == AUDIO and not visible(message.said)


def _facts(waiting: Sequence[Waiting], proposal: Proposal, media: Sequence[Waiting], stale: bool) -> dict[str, object]:
    """Why the event is what it is. The words themselves stay with the messages."""
    facts: dict[str, object] = {
        "batch": [w.provider_id for w in waiting],
        "batch_size": len(waiting),
        "proposal": _explained(proposal),
    }
    routes = list(dict.fromkeys(w.route for w in waiting if w.route is not None))
    if routes:
        facts["route"] = routes
    late = max(w.received_at - w.at for w in waiting)
    if late >= LATE:
        facts["late_seconds"] = late // 1_000
    if media and media[0].kind == "unavailable":
        facts["content"] = "unavailable"
    elif media:
        facts["media"] = media[0].kind
    if unheard := {UNHEARD.get(w.transcript_state or "", "none") for w in media if is_unheard(w)}:
        facts["transcript"] = next(word for word in ("late", "failed", "none") if word in unheard)
    if stale:
        facts["stale_button"] = True
    if adverts := [w.marks["referral"] for w in waiting if "referral" in w.marks]:
        facts["referral"] = adverts[0]
    for mark in ("sanitised", "redacted"):
        seen = [entry for w in waiting for entry in _listed(w.marks.get(mark))]
        if seen:
            facts[mark] = list(dict.fromkeys(seen))
    return facts


def _explained(proposal: Proposal) -> dict[str, object]:
    """What was proposed and why, for the page that answers "why?" (R24)."""
    told = {
        "event": proposal.event,
        "rule": proposal.rule_index,
        "phrase": proposal.phrase,
        "score": proposal.score,
        "reason": proposal.reason,
        "withdrawn": list(proposal.withdrawn),
    }
    return {name: value for name, value in told.items() if value not in (None, [])}


def _listed(value: object) -> list[object]:
    return list(value) if isinstance(value, list | tuple) else []


def _stale(tx: Tx, conversation: Conversation, waiting: Waiting) -> bool:
    """A button of a message that left before the conversation came to this state says nothing about now."""
    if waiting.button_id is None or waiting.reply_to is None or conversation.channel_id is None:
        return False
    row = outbox.by_provider(tx, conversation.channel_id, waiting.reply_to)
    return row is not None and row.created_at < conversation.snapshot.entered_at
