"""Kept bodies in words: why one is to be looked at, and what became of each thing in it."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.core.flow import Flow
from engine.services.bodies import FETCH_FAILED, Fate
from web.desk_words import called, media, reason
from web.flow_words import event_label
from web.i18n import gettext

__all__ = ["ShownFate", "fate_words", "kind_words", "verdict_words"]


@dataclass(frozen=True, slots=True)
class ShownFate:
    """What became of something: words with a tone, and the conversation that it is about; `stray` is a payment that
    waits for somebody to tie it to a person (R34).
    """

    tone: str
    text: str
    conversation: int | None = None
    stray: bool = False


def verdict_words(verdict: str, why: str | None) -> ShownFate:
    """Why a body is to be looked at."""
    match verdict:
        case "unreadable" if why == FETCH_FAILED:
            return ShownFate("err", gettext("the platform was asked what it means and did not say"))
        case "unreadable":
            return ShownFate("err", gettext("could not be read: cut, or not JSON"))
        case "failed":
            return ShownFate("err", gettext("a defect of Trilho kept it from being processed (%(why)s)") % {"why": why})
        case "unknown":
            return ShownFate("warn", _unknown(why))
    return ShownFate("ok", gettext("processed"))


def _unknown(why: str | None) -> str:
    return {
        "unknown_event": gettext("of a kind that Trilho does not know"),
        "unreadable_shape": gettext("of a known kind in an unknown shape"),
        "other_number": gettext("addressed to another number of the same account: check the id of the number"),
        "other_instance": gettext("of another instance: check the name of the instance"),
        "unknown_status": gettext("with a status that Trilho does not know"),
        "unknown_preference": gettext("with a preference that Trilho does not know"),
    }.get(why or "", gettext("not understood (%(why)s)") % {"why": why})


def kind_words(fate: Fate) -> str:
    """What a thing in a body is."""
    return {
        "payment": gettext("payment notice"),
        "message": gettext("customer's message") + (f" ({media(fate.name)})" if media(fate.name) else ""),
        "status": gettext("news of a send"),
        "echo": gettext("message sent by us"),
        "edit": gettext("edit of a message"),
        "deletion": gettext("deletion of a message"),
        "reaction": gettext("reaction"),
        "inquiry": gettext("notice that the platform is asked about"),
        "numberchange": gettext("change of number"),
        "consent": gettext("consent"),
        "channelnews": gettext("news of the channel"),
        "ignored": gettext("not for us, on purpose"),
        "unknown": gettext("not understood"),
    }.get(fate.kind, fate.kind)


def fate_words(fate: Fate, flows: Sequence[Flow], *, phones: bool) -> ShownFate:
    """What became of a thing in a body. `flows` name its event; `phones`: whether whole numbers may be seen."""
    who = called(fate.person, fate.phone, whole=phones) if fate.person or fate.phone else ""
    match fate.became:
        case "missing":
            return ShownFate("warn", gettext("nothing is stored of it"))
        case "repeated":
            return ShownFate("", gettext("repeated: processed before"), fate.conversation_id)
        case "noted":
            said = _unknown(fate.name) if fate.kind == "unknown" else fate.name.replace("_", " ")
            return ShownFate("", " · ".join(part for part in (said, fate.reason) if part))
    known = _outcome(fate, flows)
    text = f"{who}: {known[1]}" if who else known[1]
    return ShownFate(known[0], text, fate.conversation_id, stray=fate.outcome == "orphan")


def _outcome(fate: Fate, flows: Sequence[Flow]) -> tuple[str, str]:
    event = fate.event or ""
    event = next((event_label(flow, event) for flow in flows if event in flow.events), event)
    match fate.outcome:
        case None:
            return "", gettext("waits for its turn")
        case "moved" if fate.frm != fate.to:
            return "ok", gettext("%(frm)s went to %(to)s") % {"frm": fate.frm, "to": fate.to}
        case "moved" if fate.frm:
            return "ok", gettext("stayed in %(state)s, the bot did its part") % {"state": fate.frm}
        case "batched":
            return "ok", gettext("read and decided about")
        case "orphan":
            return "warn", _orphan(fate.reason)
        case "no_transition":
            return "", gettext("no arrow for “%(event)s”: recorded and ignored") % {"event": event}
        case "ignored" if fate.reason == "by_source":
            return "", gettext("ignored, as chosen for this source")
        case "ignored" if fate.reason == "order_already_refunded":
            return "warn", gettext("ignored: this order was refunded already")
        case "ignored":
            return "", gettext("ignored: %(why)s") % {"why": reason(fate.reason) or fate.reason}
        case "ambiguous" | "alert":
            return "err", gettext("two arrows could fire: nothing was done")
    return "", " · ".join(part for part in (fate.outcome, reason(fate.reason)) if part)


def _orphan(why: str | None) -> str:
    if why == "no_person":
        return gettext("names nobody: no telephone and no e-mail that is known")
    if why == "no_live_flow":
        return gettext("nothing is published in its flow")
    return gettext("could not be tied to anybody")
