"""The simulator's forms as steps: what somebody typed or tapped becomes one step, checked before it is played."""

import re
from collections.abc import Mapping

from engine.core.document_events import DECISIONS
from engine.core.errors import Refused
from engine.core.flow import DAY, HOUR, MINUTE, FieldType, Flow
from engine.services.simulator.runs import payable
from engine.services.simulator.steps import FILES, Step
from web.amounts import cents

__all__ = ["CLOCK", "clock_step", "event_step", "message_step"]

CLOCK = {"5min": 5 * MINUTE, "30min": 30 * MINUTE, "2h": 2 * HOUR, "26h": 26 * HOUR, "9d": 9 * DAY}
"""The moves of the clock that have a button."""
TAKEN = 30 * MINUTE
"""How long a person answers who takes over, as on the desk."""
_WHOLE = (FieldType.INT, FieldType.MONEY, FieldType.DURATION)


def message_step(form: Mapping[str, str]) -> Step:
    """A text, a file where the form names its kind, or a tap where it names a button."""
    more = form.get("more") == "yes"
    if form.get("medium") in FILES:
        return Step(kind="file", medium=form["medium"], text=form.get("text", "").strip(), more=more)
    if form.get("button"):
        return Step(kind="tap", button=form["button"], title=form.get("title", ""), medium=form.get("medium", ""))
    return Step(kind="message", text=form.get("text", ""), more=more)


def clock_step(form: Mapping[str, str]) -> Step:
    """A move of the clock, or to what is due next. Raises Refused for one that has no button."""
    wanted = form.get("by", "")
    if wanted == "deadline":
        return Step(kind="deadline")
    if wanted not in CLOCK:
        raise Refused("step_unknown")
    return Step(kind="clock", by=CLOCK[wanted])


def event_step(flow: Flow, form: Mapping[str, str]) -> Step:
    """Everything else that can be made to happen. Raises Refused: step_unknown, amount_unreadable."""
    kind, event = form.get("kind", ""), form.get("event", "")
    if kind in ("payment", "late"):
        if event not in payable(flow):
            raise Refused("step_unknown")
        if kind == "late":
            return Step(kind=kind, event=event)
        order, product = form.get("order", "").strip(), form.get("product", "").strip()
        return Step(kind=kind, event=event, order=order, product=product, amount=cents(form.get("amount", "")))
    if kind == "event" and event in flow.events:
        return Step(kind=kind, event=event, data=_data(flow, event, form))
    if kind == "decision" and event in DECISIONS and flow.decides:
        return Step(kind=kind, event=event, text=form.get("text", "").strip())
    if kind == "take":
        return Step(kind=kind, by=TAKEN)
    if kind == "give_back":
        return Step(kind=kind, held=form.get("held") == "yes")
    if kind == "person":
        return Step(kind=kind, name=form.get("name", "").strip(), email=form.get("email", "").strip())
    if kind in ("again", "crash", "read"):
        return Step(kind=kind, late=form.get("late") == "yes")
    raise Refused("step_unknown")


def _data(flow: Flow, event: str, form: Mapping[str, str]) -> dict[str, object]:
    """The values of an event, each as its declared type where it can be read as one; what is wrong the engine says."""
    given: dict[str, object] = {}
    for name, kind in flow.events[event].data.items():
        text = form.get(f"data.{name}", "").strip()
        if text and kind in _WHOLE and re.fullmatch(r"-?\d{1,15}", text, re.ASCII):
            given[name] = int(text)
        elif text and kind is FieldType.BOOL:
            given[name] = text.lower() in ("sim", "yes", "true", "1")
        elif text:
            given[name] = text
    return given
