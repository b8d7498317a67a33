"""News about a person or about the channel itself: a new number, the stop button, a connection that fell."""

from functools import partial

from engine.core.events import Event
from engine.core.flow import Source
from engine.core.inbound import ChannelNews, Consent, NumberChange, Person
from engine.services import holding, pacing
from engine.services.channel_health import heard
from engine.services.intake import Arrival, ask, derived, note, whose
from engine.services.merge import BY_PROOF, merge
from engine.store import collisions, contacts, conversations, holds, outbox, queue
from engine.store.connection import Tx

CLAIM = "number_change"
_TOLD = ("state", "code", "detail", "template", "language")
TEMPLATE_OFF = frozenset({"PAUSED", "DISABLED", "REJECTED", "DELETED", "PENDING_DELETION", "LOCKED", "ARCHIVED"})
TEMPLATE_ON = frozenset({"APPROVED", "REINSTATED", "UNPAUSED", "UNLOCKED", "UNARCHIVED"})


def number_change(tx: Tx, arrival: Arrival, item: NumberChange) -> None:
    """Follow a person to a new number, unless it is somebody else's already: then a person decides (R70)."""
    event = Event(id=derived("number", arrival.channel_id, item.provider_id), type="", source=Source.API, at=item.at)
    if not queue.put(tx, event, arrival.now, conversation_id=None, contact_id=None, outcome="note", reason="number"):
        note(tx, arrival, "duplicate", id=item.provider_id)
        return
    found = whose(tx, arrival, item.person)
    if found is None or not (item.new.phone or item.new.bsuid or item.new.lid):
        note(tx, arrival, "ignored", "number_change_without_person", id=item.provider_id)
        return
    contact_id = found.contact_id
    for owner in contacts.owners(tx, item.new):
        if owner == contact_id:
            continue
        merged = _moved_in(tx, arrival, contact_id, owner, item)
        if merged is None:
            return
        contact_id = merged
    contacts.follow(tx, contact_id, item.new, arrival.now)
    told = {name: getattr(item.new, name) for name in ("phone", "bsuid", "lid") if getattr(item.new, name)}
    note(tx, arrival, "identity_linked", contact_id=contact_id, facts=told, via="number change")


def _moved_in(tx: Tx, arrival: Arrival, contact_id: int, owner: int, item: NumberChange) -> int | None:
    """The new name has an owner already. Whoever has said nothing yet and has no other name is this person; anybody
    else may have had the number before, so a person decides. None when it was not merged.
    """
    asked = collisions.known(tx, contact_id, owner)
    apart = asked is not None and asked.decision == collisions.DIFFERENT
    if not apart and (_nobody_yet(tx, owner, item.new) or _nobody_yet(tx, contact_id, item.person)):
        return merge(tx, arrival.flows, arrival.now, contact_id, owner, BY_PROOF, CLAIM, {})
    if not apart:
        ask(tx, arrival, contact_id, owner, CLAIM, item.new.phone or item.new.bsuid or item.new.lid or "")
    return None


def _nobody_yet(tx: Tx, contact_id: int, person: Person) -> bool:
    return contacts.only_known_as(tx, contact_id, person) and conversations.latest_id(tx, contact_id) is None


def consent(tx: Tx, arrival: Arrival, item: Consent) -> None:
    """The channel's own stop or resume button (R75)."""
    event = Event(id=derived("consent", arrival.channel_id, item.provider_id), type="", source=Source.API, at=item.at)
    if not queue.put(tx, event, arrival.now, conversation_id=None, contact_id=None, outcome="note", reason="consent"):
        note(tx, arrival, "duplicate", id=item.provider_id)
        return
    found = whose(tx, arrival, item.person, claim="consent")
    if found is None:
        note(tx, arrival, "orphan", "no_sender", id=item.provider_id)
        return
    contacts.set_opt_out(tx, found.contact_id, item.at if item.stop else None)
    conversation_id = conversations.latest_id(tx, found.contact_id)
    tell = partial(note, tx, arrival, contact_id=found.contact_id, conversation_id=conversation_id)
    tell("opt_out" if item.stop else "opt_in", "channel_button")
    if item.stop and conversation_id is not None:
        for row in outbox.supersede(tx, conversation_id):
            outbox.settle(tx, row.id, "suppressed", reason="opt_out")
            tell("suppressed", "opt_out", action=row.action, outbox=row.id)


def channel_news(tx: Tx, arrival: Arrival, item: ChannelNews) -> None:
    """Keep what the channel says about itself; a connection that is not open is shown to the team.

    Letters with a template that the platform switched off wait until it takes them again, and a number that speaks too
    fast slows down.
    """
    channel_id = arrival.channel_id
    told = {name: value for name in _TOLD if (value := getattr(item, name))}
    note(tx, arrival, "note", item.reason, facts=told)
    if channel_id is None:
        return
    if item.reason in ("connection", "qr") and item.state is not None:
        if item.state == "open":
            holding.let_go(tx, arrival.now, channel_id, holds.ACCOUNT, "", by="platform")
        heard(tx, arrival.now, channel_id, item.state, item.code)
    elif item.reason == "channel_throttled":
        pacing.too_fast(tx, channel_id, arrival.now)
    elif item.reason == "template" and item.template is not None:
        subject = f"{item.template}/{item.language}"
        if item.state in TEMPLATE_OFF:
            holding.template_off(tx, arrival.now, channel_id, subject, item.detail)
        elif item.state in TEMPLATE_ON:
            holding.let_go(tx, arrival.now, channel_id, holds.TEMPLATE, subject, by="platform")
