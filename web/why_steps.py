"""The steps of a chain, and its end: what became of a letter, or what followed a message."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.core.flow import Look
from engine.services.transcript import Page
from engine.services.why import Why
from web.desk_words import precisely, reason
from web.i18n import gettext, ngettext
from web.log_words import action_label, told
from web.talk_words import fate

__all__ = ["Chain", "Step", "answered", "followed", "left"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of the chain. `mark` is the phrase that was recognised, `states` the two ends of an arrow."""

    icon: str
    title: str
    detail: str = ""
    tone: str = ""
    mark: str = ""
    states: tuple[tuple[str, Look], ...] = ()
    event: str = ""
    link: str = ""
    link_text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """The answer to “why?” about one line."""

    title: str
    text: str
    when: str
    steps: tuple[Step, ...]


def left(page: Page, why: Why, letter: Mapping[str, Any]) -> list[Step]:
    """From the queue to the customer's screen, as far as it came."""
    zone = page.flow.timezone
    queued = gettext("in the same write as the state") if letter["author"] is None else ""
    steps = [
        Step(
            icon="inbox",
            title=gettext("Entered the send queue"),
            detail=" · ".join(part for part in (precisely(letter["created_at"], zone), queued) if part),
        )
    ]
    mine = [entry for entry in why.entries if entry.facts.get("outbox") == letter["id"]]
    if letter["status"] == "sent":
        times = [precisely(e.at, zone) for e in mine if e.outcome in ("sent", "delivery")]
        tries = ngettext("%(num)s attempt", "%(num)s attempts", letter["attempt"]) % {"num": letter["attempt"]}
        names = {
            "read": gettext("Sent, delivered and read"),
            "played": gettext("Sent, delivered and played"),
            "delivered": gettext("Sent and delivered"),
        }
        title = names.get(letter["delivery"] or "", gettext("Sent"))
        steps.append(Step(icon="check", tone="ok", title=title, detail=" · ".join([*times, tries])))
        return steps
    for entry in mine:
        if entry.outcome in ("send_retry", "postponed", "uncertain"):
            said = told(entry, page.flow, page.now)
            steps.append(Step(icon=said.icon, tone=said.tone, title=said.text, detail=precisely(entry.at, zone)))
    bad = letter["status"] in ("failed", "review")
    icon = (
        "alert" if bad else "inbox" if letter["status"] == "held" else "clock" if letter["status"] == "pending" else "x"
    )
    steps.append(Step(icon=icon, tone="err" if bad else "warn", title=fate(page, letter)))
    return steps


def followed(page: Page, why: Why) -> list[Step]:
    """The letters that the event led to."""
    return [
        Step(
            icon="bot",
            tone="ok" if letter["status"] == "sent" else "warn",
            title=gettext("Answered: %(action)s") % {"action": action_label(page.flow, letter["action"])},
            detail=fate(page, letter),
            link=f"/conversations/{page.id}?tab=why&msg=out-{letter['id']}",
            link_text=gettext("why?"),
        )
        for letter in why.letters
    ]


def answered(page: Page, why: Why) -> list[Step]:
    """What followed a message, or why nothing did."""
    message, letters = why.single, followed(page, why)
    if letters:
        return letters
    if message["deleted_at"] is not None and message["event_id"] is None:
        text = gettext("Not answered: the customer deleted it first")
    elif message["outcome"] == "ignored":
        text = gettext("Not answered: %(why)s") % {"why": reason(message["reason"])}
    elif message["processed_at"] is None:
        return [Step(icon="wave", title=gettext("Still waiting for the end of the burst"))]
    else:
        skipped = next((e for e in why.entries if e.outcome == "ignored" and e.facts.get("action")), None)
        text = gettext("No message: nothing that was decided sends one")
        if skipped is not None:
            text = gettext("Not answered: %(why)s") % {"why": reason(skipped.reason)}
    return [Step(icon="x", tone="warn", title=text)]
