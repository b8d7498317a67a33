"""Rows of a log written by hand: what a conversation of one person did, hour by hour."""

from engine.core.analysis.stays import Ends, Entry, history

H = 3_600_000
ENDS = Ends(won=frozenset({"PAGO"}), lost=frozenset({"PERDIDO"}), opt_out=frozenset({"SAIU"}))


def opened(one, hour, to="NOVO", *, version=1, after=None):
    return Entry(one, one, hour * H, "note", "opened", None, None, to, version, None, None, after)


def moved(one, hour, frm, to, source="message", *, version=1, arrow=None, event=None):
    event = event or f"e:{one}:{hour}"
    reason = "split" if arrow else None
    return Entry(one, one, hour * H, "transition", reason, event, frm, to, version, source, arrow, None)


def noted(one, hour, reason, frm=None, to=None, *, version=1, outcome="note", event=None):
    return Entry(one, one, hour * H, outcome, reason, event, frm, to, version, None, None, None)


def told(*rows):
    return history(rows, ENDS)


def stays(*rows):
    """(state, from hour, to hour, cause) of each stay."""
    return [
        (s.state, s.since // H, None if s.until is None else s.until // H, s.cause and s.cause.value)
        for s in told(*rows).stays
    ]
