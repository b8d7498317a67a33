"""Safety rules that a flow would do well to have: those whose names the flow itself tells, and that it lacks."""

from collections.abc import Iterator, Mapping

from engine.core.document_rules import FORMS
from engine.core.flow import EXHAUSTED, TIMEOUT, Agent, Flow, Look, Send, Source, StateKind, Transition

__all__ = ["recommended"]

Row = Mapping[str, object]
WINDOW, MOST_UNANSWERED, MOST_ECHOES = "24h", 4, 3


def recommended(flow: Flow) -> tuple[Row, ...]:
    """Rules as the document has them, the most telling first; none that speaks of what a rule of the flow speaks of."""
    known = {_subject(rule.body) for rule in flow.rules}
    found: list[Row] = []
    for row in _wished(flow):
        if _subject(row) not in known:
            known.add(_subject(row))
            found.append(row)
    return tuple(found)


def _wished(flow: Flow) -> Iterator[Row]:
    arrows = tuple(flow.arrows.values())
    won = [state.name for state in flow.states.values() if state.look is Look.WON]
    yield from _opting_out(flow)
    yield from _paid(flow, arrows)
    for action in _offers(flow, arrows):
        for state in won:
            yield {"never": {"do": action}, "after": {"state": state}}
    speaking = {name for name, action in flow.actions.items() if isinstance(action, Send | Agent)}
    nudging = any(t.on in (TIMEOUT, EXHAUSTED) and speaking & set(t.do) for t in arrows)
    if speaking & {name for t in arrows for name in t.do}:
        yield {"window": WINDOW}
    if nudging:
        yield {"no_nudge_unanswered": True}
        yield {"at_most": MOST_UNANSWERED, "sends_without_reply": True}
    if any(t.frm == t.to and _is_message(flow, t) and speaking & set(t.do) for t in arrows):
        yield {"echo": MOST_ECHOES}


def _opting_out(flow: Flow) -> Iterator[Row]:
    """Whoever says "stop" is let go, wherever the conversation stands."""
    out = [state.name for state in flow.states.values() if state.kind is StateKind.OPTOUT]
    for event in flow.events:
        if event in flow.opt_out_events:
            yield {"always": event, "leads_to": out[0] if len(out) == 1 else out}


def _paid(flow: Flow, arrows: tuple[Transition, ...]) -> Iterator[Row]:
    """What a payment on its way to a won state sets off happens once, and only then."""
    for arrow in arrows:
        target = flow.states.get(arrow.to)
        if not _is_payment(flow, arrow) or target is None or target.look is not Look.WON:
            continue
        for action in arrow.do:
            if all(t.on == arrow.on for t in arrows if action in t.do):
                yield {"only_after": {"event": arrow.on}, "do": action}
                yield {"at_most": 1, "do": action}


def _offers(flow: Flow, arrows: tuple[Transition, ...]) -> list[str]:
    """What is sent on the way to where a payment is waited for."""
    found: dict[str, None] = {}
    for arrow in arrows:
        target = flow.states.get(arrow.to)
        if target is None or target.look is not Look.PAYMENT or arrow.frm == arrow.to or not _is_message(flow, arrow):
            continue
        found |= dict.fromkeys(name for name in arrow.do if isinstance(flow.actions.get(name), Send))
    return list(found)


def _is_message(flow: Flow, arrow: Transition) -> bool:
    return arrow.on in flow.events and flow.events[arrow.on].source is Source.MESSAGE


def _is_payment(flow: Flow, arrow: Transition) -> bool:
    return arrow.on in flow.events and flow.events[arrow.on].source is Source.PAYMENT


def _subject(row: Row) -> tuple[str, str]:
    """What a rule is about, without its numbers and targets."""
    form = next((name for name in FORMS if name in row), "")
    if form == "never":
        return form, f"{row['never']} {row.get('after')}"
    if form == "at_most":
        return form, str(row.get("do"))
    if form == "only_after":
        return form, str(row.get("do"))
    return form, str(row["always"]) if form == "always" else ""
