"""Whether a channel can send: what was heard of its connection, what waits for it, and who is told (R27).

While it cannot, letters wait (`DOWN`); when it can again they leave, each once. The team is told of a trouble that lasts
longer than a moment, and at once of one that only a person can mend.
"""

from http import HTTPStatus

from engine.adapters.channels.protocol import CLOSED, SendResult
from engine.adapters.channels.registry import PAIRINGS
from engine.core.flow import MINUTE, SECOND, Millis
from engine.core.troubles import OK, Trouble, newer, trouble
from engine.store import asking, channels, journal
from engine.store.channels import StoredChannel
from engine.store.connection import Tx
from engine.store.journal import About, Record

__all__ = ["AGAIN", "DOWN", "heard", "lasting", "stopped"]

DOWN = "channel_down"
"""Why a letter waits, and the outcome in the log when the team is told."""
MOMENT = 30 * SECOND
"""Shorter gaps are ordinary: a gateway connects again by itself. After it the gateway is asked."""
AGAIN = MINUTE
"""Between two questions to the gateway of a channel that cannot send."""


def heard(tx: Tx, now: Millis, channel_id: int, state: str, code: int | None = None) -> None:
    """The gateway said how the connection is, `open` or why not, or our own call found out."""
    stored = channels.TABLE.by_id(tx, channel_id)
    if stored is None:
        return
    now_wrong = trouble(state, code)
    if now_wrong is None:
        _open_again(tx, now, stored)
        return
    remembered = newer(stored.state, now_wrong)
    if stored.state == remembered:
        return
    since = now if stored.state == OK else stored.state_at
    channels.set_state(tx, stored.id, remembered, since, look_at=now + MOMENT, told_at=stored.told_at)
    if remembered.final and (stored.told_at is None or not _final(stored.state)):
        _tell(tx, now, stored, remembered, since)


def stopped(kind: str, result: SendResult, *, given_up: bool) -> str | None:
    """How the connection is when that, and nothing about the letter, kept it from leaving; None otherwise.

    `given_up`: the gateway was not reached often enough to count as away.
    """
    if kind not in PAIRINGS:
        return None
    if result.detail == CLOSED:
        return "close"
    if result.error_class == "account":
        return "missing" if result.code == HTTPStatus.NOT_FOUND else "unauthorized"
    return "unreached" if given_up and result.detail == "not_sent" else None


def lasting(tx: Tx, now: Millis, channel_id: int) -> None:
    """A trouble that was there a moment ago and still is comes before the team, once."""
    stored = channels.TABLE.by_id(tx, channel_id)
    if stored is None or stored.state not in list(Trouble) or stored.told_at is not None:
        return
    if now - stored.state_at >= MOMENT:
        _tell(tx, now, stored, Trouble(stored.state), stored.state_at)


def _tell(tx: Tx, now: Millis, stored: StoredChannel, what: Trouble, since: Millis) -> None:
    channels.note_told(tx, stored.id, now)
    facts = {"channel": stored.name, "since": since}
    journal.record(tx, now, About(channel_id=stored.id), Record(outcome=DOWN, reason=what, facts=facts))


def _open_again(tx: Tx, now: Millis, stored: StoredChannel) -> None:
    if stored.state == OK:
        return
    channels.set_state(tx, stored.id, OK, now, look_at=None, told_at=None)
    waited = asking.let_go(tx, stored.id, DOWN, now)
    if stored.told_at is not None or waited:
        facts = {"channel": stored.name, "waited": waited}
        journal.record(tx, now, About(channel_id=stored.id), Record(outcome="note", reason="channel_back", facts=facts))


def _final(state: str) -> bool:
    return state in list(Trouble) and Trouble(state).final
