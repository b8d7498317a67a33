"""One or two edits that end a broken rule at the step that breaks it, where an honest one exists."""

from collections.abc import Iterator, Sequence

from engine.core.checks.findings import Fix
from engine.core.checks.lookups import Lookups
from engine.core.checks.model.automata import names, whole
from engine.core.checks.model.replay import Ran
from engine.core.checks.model.window import free_form
from engine.core.flow import Flow, Rule, Send, Source, Transition


def repairs(lookups: Lookups, rule: Rule, run: Sequence[Ran]) -> Iterator[Fix]:
    """The edits, the likeliest first."""
    flow, last = lookups.flow, run[-1]
    match rule.kind:
        case "always":
            yield from _lead(lookups, last, names(rule.body["leads_to"])[0])
        case "no_nudge_unanswered":
            yield from _answer(lookups, next(ran for ran in reversed(run) if ran.source is Source.MESSAGE))
        case "window" if last.arrow is not None:
            yield from _templates(flow, last.arrow)
        case "never" | "only_after" | "at_most" if last.arrow is not None:
            name = str(rule.body.get("do") or _banned(rule))
            milder = list(_repeats(flow, last, last.arrow, name)) if whole(rule.body.get("at_most")) else []
            yield from milder or [_without(last.arrow, [name])]
        case "sends_without_reply" if last.arrow is not None and last.source is Source.CLOCK:
            yield _without(last.arrow, [name for name in last.arrow.do if isinstance(flow.actions[name], Send)])


def _banned(rule: Rule) -> str:
    never = rule.body["never"]
    return str(never["do"]) if isinstance(never, dict) else ""


def _without(arrow: Transition, gone: Sequence[str]) -> Fix:
    left = [name for name in arrow.do if name not in gone]
    edit = {"op": "set_transition", "id": arrow.id, "field": "do", "value": left or None}
    return Fix("drop_action" if left else "drop_actions", edit)


def _lead(lookups: Lookups, last: Ran, target: str) -> Iterator[Fix]:
    if last.arrow is not None:
        yield Fix("redirect", {"op": "set_transition", "id": last.arrow.id, "field": "to", "value": target})
    elif not lookups.groups(last.frm, last.event):
        yield _arrow(last.frm, last.event, target)


def _answer(lookups: Lookups, unanswered: Ran) -> Iterator[Fix]:
    """The message counts as the general one where that is answered, or begins the silence anew."""
    flow, state, event = lookups.flow, unanswered.frm, unanswered.event
    if lookups.groups(state, event):
        return
    general = flow.general_message
    if event != general and flow.events[event].falls_back_to is None and flow.own_group(state, general):
        yield Fix("fall_back", {"op": "set_event", "id": event, "field": "falls_back_to", "value": general})
    yield _arrow(state, event, state)


def _arrow(state: str, event: str, target: str) -> Fix:
    return Fix("add_arrow", {"op": "add_transition", "fields": {"from": state, "on": event, "to": target}})


def _templates(flow: Flow, arrow: Transition) -> Iterator[Fix]:
    for name in arrow.do:
        if isinstance(flow.actions[name], Send) and free_form(flow, (name,)):
            value = {"name": name, "language": "pt_BR"}
            yield Fix("add_template", {"op": "set_action", "id": name, "field": "template", "value": value})


def _repeats(flow: Flow, last: Ran, arrow: Transition, name: str) -> Iterator[Fix]:
    """Once per purchase, or not again in the state that a global arrow already led to."""
    yield from _once(flow, name)
    if arrow.is_global and last.frm == last.to:
        value = [*sorted(arrow.excepting), last.frm]
        yield Fix("except", {"op": "set_transition", "id": arrow.id, "field": "except", "value": value})


def _once(flow: Flow, name: str) -> Iterator[Fix]:
    """Once per something that every event brings which starts the action; the words of a message are no such thing."""
    starting = [flow.events[t.on] for t in flow.arrows.values() if name in t.do and t.on in flow.events]
    if any(event.source is Source.MESSAGE for event in starting):
        return
    shared = [field for field in starting[0].data if all(field in event.data for event in starting)]
    for field in shared[:1]:
        value = f"{{{{event.{field}}}}}"
        yield Fix("once_per", {"op": "set_action", "id": name, "field": "once_per", "value": value})
