"""May this letter leave now? The question that is asked again at the moment of sending (R27, R28, R37, R75)."""

from collections.abc import Mapping

from engine.core.flow import Flow, Millis, StateKind
from engine.core.windows import Circumstances, Decision, Origin, Verdict, may_send, next_allowed, window_open
from engine.store.conversations import Conversation
from engine.store.outbox import Row

ORIGINS = {
    "message": Origin.MESSAGE,
    "payment": Origin.PAYMENT,
    "clock": Origin.CLOCK,
    "operator": Origin.HUMAN,
    "human": Origin.HUMAN,
    "effect": Origin.AGENT,
    "api": Origin.AGENT,
    "campaign": Origin.CAMPAIGN,
}

PAYMENT = "payment"


def permit(
    flow: Flow, conversation: Conversation, row: Row, person: Mapping[str, object], now: Millis, *, has_window: bool
) -> Verdict:
    """What to do with a letter, from where its conversation and its person stand now."""
    if conversation.followed_by is not None and not row.is_global and row.author is None and row.cause != PAYMENT:
        return Verdict(Decision.SUPPRESS, "followed")
    until = person["paused_until"]
    opted_out = person["opt_out_at"] is not None
    # What a person approved is still the robot's: it keeps to opt-out and pause as what nobody typed does.
    origin = Origin.AGENT if row.approval_id is not None else ORIGINS[row.cause]
    at_rest = flow.states[conversation.snapshot.state].kind is StateKind.OPTOUT
    if opted_out and at_rest and origin is Origin.MESSAGE and not row.confirms_opt_out:
        return Verdict(Decision.SUPPRESS, "opt_out")
    allowed = next_allowed(now, flow.settings.quiet_hours, flow.timezone)
    return may_send(
        Circumstances(
            origin=origin,
            opted_out=opted_out,
            confirms_opt_out=row.confirms_opt_out,
            paused=isinstance(until, int) and until > now and row.reason != "given_back",
            from_global=row.is_global,
            has_window=has_window,
            window_open=window_open(conversation.snapshot.last_inbound_at, now),
            has_template=bool(row.payload.get("template")),
            quiet_until=allowed if allowed > now else None,
        )
    )
