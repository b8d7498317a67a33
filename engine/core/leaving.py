"""Where a person left off: the state that the talk fell out of, before its touches and its end (R72)."""

from collections.abc import Iterable

from engine.core.flow import Flow, Look, StateKind

__all__ = ["left_in", "words_for"]


def left_in(flow: Flow, moves: Iterable[tuple[str | None, str | None]], state: str | None = None) -> str | None:
    """The state that was left, from the (from, to) of the moves, the newest first; None while nothing was left.

    With `state` the talk is over where it stands there: that state itself if it is one of talking.
    """
    fell = state is not None
    if state is not None and _talks(flow, state):
        return state
    for frm, to in moves:
        fell = fell or not _talks(flow, to)
        if fell and _talks(flow, frm):
            return frm
    return None


def words_for(flow: Flow, state: str, language: str) -> str | None:
    """What was waited for there, else what the state is called; a name for machines is nobody's word."""
    known = flow.states[state]
    text = known.waiting_for or known.label
    return None if text is None else text.within(language)


def _talks(flow: Flow, name: str | None) -> bool:
    """Whether a state is one in which the person is talked with: no end, and no touch after a silence."""
    state = flow.states.get(name or "")
    return (
        state is not None and state.kind not in (StateKind.FINAL, StateKind.OPTOUT) and state.look is not Look.RECOVERY
    )
