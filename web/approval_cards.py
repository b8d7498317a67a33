"""A request for approval as a card: what would be sent, why it was asked, how long there is, and who may decide."""

from dataclasses import dataclass

from engine.core.approval import Approver, Bubble
from engine.core.flow import MINUTE, Look, Millis
from engine.core.permissions import Permission
from engine.services.approval_queue import Waiting
from web.approval_refusals import only_these
from web.desk_words import brief, called, media
from web.i18n import gettext
from web.log_words import action_label
from web.visitor import Visitor
from web.words import initials

__all__ = ["ApprovalCard", "Said", "approval_card", "approver_of"]

HURRY = 5 * MINUTE
"""When what is left of the time is said in another tone (2.2.1)."""


@dataclass(frozen=True, slots=True)
class Said:
    """One message. `limit` is how long its words may be, 0 where nothing can be edited; `template` is what goes in its
    place outside 24 h, with the values that are filled in; `buttons` come under it.
    """

    place: int
    text: str
    limit: int
    file: str
    template: str
    buttons: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalCard:
    """What templates/approvals/_card.html reads. `mine`: this person may decide; `others` says who else may."""

    id: int
    conversation: int
    sha256: str
    name: str
    initials: str
    colour: int
    state: str
    look: Look
    asked: str
    expires: str
    hurry: bool
    said: str
    messages: tuple[Said, ...]
    action: str
    warnings: tuple[str, ...]
    extendable: bool
    extended: str
    mine: bool
    others: str

    @property
    def editable(self) -> bool:
        """Whether any words can be changed."""
        return any(message.limit for message in self.messages)


def approver_of(person: Visitor) -> Approver:
    """The person as somebody who decides."""
    account = person.account
    return Approver(account.role, account.email) if account is not None else Approver("", "")


def approval_card(waiting: Waiting, now: Millis, person: Visitor) -> ApprovalCard:
    """In the current language; a phone is masked by role."""
    asked, card = waiting.asked, waiting.card
    state = waiting.flow.states.get(asked.state)
    name = called(card.name, card.phone, whole=person.may(Permission.PHONES))
    left = None if waiting.expires_at is None else waiting.expires_at - now
    mine = approver_of(person).may_decide(asked.approvers)
    return ApprovalCard(
        id=asked.id,
        conversation=asked.conversation_id,
        sha256=asked.sha256,
        name=name,
        initials=initials(card.name or ""),
        colour=card.id % 5,
        state=asked.state,
        look=state.look if state is not None else Look.HUMAN,
        asked=gettext("%(time)s ago") % {"time": brief(now - asked.created_at)},
        expires=_expires(left, held=card.paused_until is not None),
        hurry=left is not None and left <= HURRY,
        said=card.last_text or (f"({media(card.last_kind)})" if media(card.last_kind) else ""),
        messages=tuple(_said(place, bubble) for place, bubble in enumerate(asked.content)),
        action=", ".join(dict.fromkeys(action_label(waiting.flow, bubble.action) for bubble in asked.content)),
        warnings=tuple(_warnings(waiting)),
        extendable=bool(
            state is not None and state.deadline and card.deadline_at is not None and not asked.extended_by
        ),
        extended=asked.extended_by,
        mine=mine,
        others="" if mine else only_these(asked.approvers),
    )


def _said(place: int, bubble: Bubble) -> Said:
    file, beside, menu = bubble.payload.get("media"), bubble.payload.get("template"), bubble.payload.get("menu")
    rows = [row["title"] for row in menu["rows"]] if menu else []
    values = ", ".join(map(str, beside["params"])) if beside else ""
    name = str(beside["name"]) if beside else ""
    return Said(
        place=place,
        text=bubble.words,
        limit=bubble.limit if bubble.words else 0,
        file=media(file["kind"]) if file else "",
        template=f"{name} ({values})" if values else name,
        buttons=(*(str(button["title"]) for button in bubble.payload.get("buttons", ())), *map(str, rows)),
    )


def _expires(left: Millis | None, *, held: bool) -> str:
    if held:
        return gettext("a person holds the chat: the time stands still")
    if left is None:
        return gettext("does not expire")
    return gettext("expires in %(time)s") % {"time": brief(left)} if left > 0 else gettext("expired")


def _warnings(waiting: Waiting) -> list[str]:
    found = []
    if not waiting.asked.transition:
        found.append(gettext("The flow has no arrow for when a person approves: approving does nothing here."))
    if waiting.card.opted_out:
        found.append(gettext("The customer wants no more messages: nothing can be sent."))
    elif not waiting.sendable:
        found.append(
            gettext("The 24 hours are over and there is no template beside the words: this cannot be sent any more.")
        )
    return found
