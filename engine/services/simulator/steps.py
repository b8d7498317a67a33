"""The steps of a simulation: what somebody did, one small record each, as it is stored.

A step says what was done, not what came of it: that is found by playing all of them again. What cannot be read is
refused, for a form and a stored run can say anything.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from engine.core.canonical import canonical
from engine.core.errors import Refused
from engine.core.flow import DAY, Millis
from engine.core.folding import sanitise

__all__ = ["FILES", "MOST_STEPS", "Step", "stored", "told", "usable"]

MOST_STEPS = 100
LONGEST_TEXT = 4_096
LONGEST_NAME = 200
FURTHEST: Millis = 31 * DAY
"""How far one step moves the clock."""
KINDS = (
    "message",
    "file",
    "tap",
    "payment",
    "event",
    "clock",
    "deadline",
    "again",
    "late",
    "read",
    "crash",
    "person",
    "given",
    "decision",
    "take",
    "give_back",
)
FILES = ("image", "audio", "document")
"""What a customer can send beside words."""
_TEXTS = ("text", "button", "title", "event", "order", "name", "email", "product")


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One thing that was done, by its `kind`.

    message: the customer writes `text`, and with `more` is not done yet; file: the customer sends a `medium` of FILES, with
    `text` under it, or said in it where it is an audio; tap: a button or a row (`medium` list) with id
    `button` and `title`; payment: `event` of the purchase `order`, with `amount` in cents and `product`; event: one of
    the customer's own systems with `data`; clock: `by` milliseconds pass; deadline: until something is due; again: the
    last thing arrives once more; late: news of the last purchase from before (`event`); read: the customer reads what
    was sent, and with `late` the platform tells of the delivery afterwards; crash: the process dies within the last
    step; decision: a person of the team says `event` (approved or rejected), with `text` as other words or as the reason;
    take: a person answers for `by` milliseconds; give_back: the bot answers again, and with `held` what waited leaves;
    person: `name` and `email` from here on; given: an input of the scenario format as it is (`row`).
    """

    kind: str
    text: str = ""
    more: bool = False
    button: str = ""
    title: str = ""
    medium: str = ""
    event: str = ""
    order: str = ""
    amount: int | None = None
    product: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    by: Millis = 0
    late: bool = False
    held: bool = False
    name: str = ""
    email: str = ""
    row: Mapping[str, Any] = field(default_factory=dict)


_BLANK = asdict(Step(kind=""))


def _fits(name: str, value: object) -> bool:
    """Whether a field has a value of its type."""
    if name == "amount" and value is None:
        return True
    wanted = int if name == "amount" else type(_BLANK[name])
    return isinstance(value, wanted) and (wanted is bool or not isinstance(value, bool))


def usable(step: Step) -> Step:
    """The step as it may be stored. Raises Refused: step_unknown, empty_message, message_too_long, clock_too_far."""
    if step.kind not in KINDS or any(not _fits(name, getattr(step, name)) for name in Step.__slots__):
        raise Refused("step_unknown")
    given: dict[str, Any] = {name: getattr(step, name) for name in Step.__slots__}
    cleaned = {name: sanitise(given[name])[0] for name in _TEXTS}
    if step.kind == "file" and step.medium not in FILES:
        raise Refused("step_unknown")
    wordless = step.kind == "message" or (step.kind == "file" and step.medium == "audio")
    if wordless and not cleaned["text"].strip():
        raise Refused("empty_message")
    if len(cleaned["text"]) > LONGEST_TEXT:
        raise Refused("message_too_long", limit=LONGEST_TEXT)
    if step.kind in ("clock", "take") and not 0 < step.by <= FURTHEST:
        raise Refused("clock_too_far", longest=FURTHEST)
    return Step(**{**given, **cleaned, **{name: cleaned[name][:LONGEST_NAME] for name in _TEXTS if name != "text"}})


def stored(steps: Sequence[Step]) -> str:
    """As JSON, without what is not said. Raises Refused("too_many_steps")."""
    if len(steps) > MOST_STEPS:
        raise Refused("too_many_steps", most=MOST_STEPS)
    rows = [{name: value for name, value in asdict(step).items() if value != _BLANK[name]} for step in steps]
    return canonical(rows)


def told(text: str) -> tuple[Step, ...]:
    """Steps as they were stored. Raises Refused("step_unknown") for what this version cannot read."""
    try:
        return tuple(usable(Step(**row)) for row in json.loads(text))
    except (TypeError, ValueError, AttributeError):
        raise Refused("step_unknown") from None
