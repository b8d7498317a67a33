"""What a platform's no to a letter leads to, answered at once or reported later as failed: one deed for each class.

The classes of the codes are in `engine/adapters/channels/cloud_errors.py`.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from engine.adapters.channels.cloud_errors import meaning
from engine.adapters.channels.protocol import ErrorClass, SendResult
from engine.core.flow import Millis
from engine.services import holding
from engine.services.telling import alarm, say
from engine.store import contacts, conversations, outbox
from engine.store.connection import Tx
from engine.store.holds import ACCOUNT, TEMPLATE
from engine.store.outbox import Letter, Row

HOLDS: Mapping[str, str] = {"account": ACCOUNT, "template_off": TEMPLATE}
"""Classes that concern more letters than this one: it waits with the others instead of failing."""
RESENDS = 3
"""How often a letter goes again by itself that the platform took and did not deliver."""
WHO_ACTS: Mapping[str, str] = {"template": "marketer", "template_off": "marketer", "account": "admin"}


def answered(tx: Tx, now: Millis, row: Row, result: SendResult, *, window_open: bool) -> None:
    """The answer to an attempt was no, and the letter certainly did not leave."""
    kind, code, detail = result.error_class, result.code, result.detail
    what = HOLDS.get(kind or "")
    if what is not None and (what != TEMPLATE or row.as_template):
        if outbox.settle(tx, row.id, "held", attempt=row.attempt, reason=f"{what}_held", error_code=code):
            _HOLD[what](tx, now, row, code, detail)
            say(tx, now, row, "held", f"{what}_held", code=code, detail=detail)
        return
    if not outbox.settle(tx, row.id, "failed", attempt=row.attempt, reason=kind or "refused", error_code=code):
        return
    if kind == "window" and not window_open and _again_as_template(tx, now, row):
        return
    open_now = {"window_open": window_open} if kind == "window" else {}
    say(tx, now, row, "send_failed", kind, code=code, detail=detail, **open_now)
    _left_failed(tx, now, row, kind, code, detail)


def reported(tx: Tx, now: Millis, row: Row, code: int | None, detail: str | None) -> None:
    """The platform took a letter and says now that it could not deliver it."""
    known = meaning(code)
    kind = None if known is None else known.kind
    outbox.settle(tx, row.id, "failed", error_code=code, reason=kind or "not_delivered")
    if kind == "window" and _again_as_template(tx, now, row):
        return
    what = HOLDS.get(kind or "")
    if what is not None and (what != TEMPLATE or row.as_template):
        _HOLD[what](tx, now, row, code, detail)
        if _again(tx, now, row, as_template=row.as_template, status="held", reason=f"{what}_held") is not None:
            return
    if known is not None and known.kind in ("rate", "pair_rate"):
        wait = known.wait * known.growth ** _times(row)
        if _again(tx, now, row, as_template=row.as_template, due_at=now + wait, reason="retry") is not None:
            return
    _left_failed(tx, now, row, kind, code, detail)


def _again_as_template(tx: Tx, now: Millis, row: Row) -> bool:
    """The window was closed after all: the template beside the text goes instead, once."""
    if not row.payload.get("template") or row.as_template:
        return False
    return _again(tx, now, row, as_template=True) is not None


def _left_failed(tx: Tx, now: Millis, row: Row, kind: ErrorClass | None, code: int | None, detail: str | None) -> None:
    """Nothing more is tried by itself; a person sees it, unless no person could do anything about it."""
    if kind == "stop_marketing":
        _opted_out_there(tx, now, row)
    elif kind == "marketing_limit":
        holding.spare(tx, now, row, code, detail)
    else:
        alarm(tx, now, row, "send_failed", to=WHO_ACTS.get(kind or "", "supervisor"))


def _opted_out_there(tx: Tx, now: Millis, row: Row) -> None:
    """The platform says that this person wants no more messages of this kind (R75)."""
    conversation = conversations.load(tx, row.conversation_id, lock=False)
    if conversation is None:
        return
    # Not the letter's own contact: while it was on the wire that one may have been merged into another.
    contacts.set_opt_out(tx, conversation.contact_id, now)
    say(tx, now, replace(row, contact_id=conversation.contact_id), "opt_out", "platform")


def _again(
    tx: Tx,
    now: Millis,
    row: Row,
    *,
    as_template: bool,
    due_at: Millis | None = None,
    status: str = "pending",
    reason: str | None = None,
) -> int | None:
    """A letter that the platform took and did not deliver goes once more, as a letter of its own, so that late news of
    the first cannot be taken for news of the second. Its number; None when it went often enough.
    """
    times = _times(row) + 1
    if times > RESENDS:
        return None
    letter = Letter(
        action=row.action,
        cause=row.cause,
        state=row.state,
        payload=row.payload,
        is_global=row.is_global,
        confirms_opt_out=row.confirms_opt_out,
        critical=row.critical,
        author=row.author,
        approval_id=row.approval_id,
        key=row.key,
        once_key=f"resend:{row.id}:{times}",
        as_template=as_template,
        status=status,
        reason=reason,
        event_id=row.event_id,
    )
    written = outbox.put(tx, letter, row.conversation_id, row.contact_id, row.channel_id, now)
    if written is None:
        return None
    if due_at is not None:
        outbox.settle(tx, written, status, due_at=due_at)
    if status == "held":
        say(tx, now, row, "held", reason, resent_as=written)
    else:
        why = "resend_as_template" if as_template and not row.as_template else "resend"
        say(tx, now, row, "send_retry", why, resent_as=written)
    return written


def _times(row: Row) -> int:
    """How often the letter went before this: `resend:45:2` is its second time more."""
    key = row.once_key or ""
    return int(key.rpartition(":")[2]) if key.startswith("resend:") and key.count(":") == 2 else 0


_HOLD: Mapping[str, Callable[[Tx, Millis, Row, int | None, str | None], None]] = {
    ACCOUNT: holding.hold_account,
    TEMPLATE: holding.hold_template,
}
