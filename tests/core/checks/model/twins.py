"""For every kind of rule a flow that breaks it and its twin that keeps it: one small difference apart."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.core.flow import FieldType, Flow, Rule, Send, StateKind, Template
from tests.factories import DAY, HOUR, Arrow, a_flow, final, message, number, payment, say, state, text

COUNTER = [number("toques", 0, 3)]
TOUCH = Arrow("t2", "A", "timeout", "A", "toques < 3", {"toques": "toques + 1"}, ("toque",))
SPENT = Arrow("t3", "A", "timeout", "Z", "otherwise")
ANSWER = Arrow("t1", "A", "msg", "A", None, {"toques": "0"}, ("oi",))


@dataclass(frozen=True)
class Twins:
    """`steps` is the length of the shortest run that breaks the rule, `ends` the arrow of its last step."""

    code: str
    rule: Rule
    broken: Callable[[], Flow]
    kept: Callable[[], Flow]
    steps: int
    ends: str | None


def flow(*arrows: Arrow, rule: Rule, **more: Any) -> Callable[[], Flow]:
    return lambda: a_flow([state("A", DAY), state("B", DAY), final("Z")], arrows, rules=[rule], **more)


def _rule(kind: str, **body: object) -> Rule:
    return Rule(kind, body)


def _templated(name: str) -> Send:
    return Send(id=name, text=text("oi"), template=Template(name, "pt_BR"))


NEVER = _rule("never", never={"do": "oferta"}, after={"state": "Z"})
UNLESS = _rule("never", never={"do": "oferta"}, after={"event": "pago"}, unless=["volta"])
ALWAYS = _rule("always", always="parar", leads_to="Z")
SENDS = _rule("sends_without_reply", at_most=3, sends_without_reply=True)
WINDOW = _rule("window", window="24h")
ONCE = _rule("at_most", at_most=1, do="entregar")
AFTER = _rule("only_after", only_after={"event": "pago"}, do="entregar")
ECHO = _rule("echo", echo=3)
NUDGE = _rule("no_nudge_unanswered", no_nudge_unanswered=True)

OFFER = Arrow("t1", "A", "msg", "A", do=("oferta",))
PAID = Arrow("t2", "A", "pago", "Z")
STOP = [message("parar", priority=9)]
PURCHASE = [payment("pago", transacao=FieldType.TEXT)]
DELIVER = Arrow("t1", "A", "pago", "A", do=("entregar",))
LATE = Arrow("t2", "A", "timeout", "Z", do=("toque",))

TWINS: Mapping[str, Twins] = {
    "R1": Twins(
        "R1",
        NEVER,
        flow(OFFER, PAID, Arrow("t3", "Z", "msg", "Z", do=("oferta",)), rule=NEVER),
        flow(OFFER, PAID, Arrow("t3", "Z", "msg", "Z", do=("obrigado",)), rule=NEVER, actions=[say("oferta")]),
        2,
        "t3",
    ),
    "R1 unless": Twins(
        "R1",
        UNLESS,
        flow(OFFER, Arrow("t2", "A", "pago", "A"), rule=UNLESS, actions=[say("volta")]),
        flow(Arrow("t1", "A", "msg", "A", do=("volta", "oferta")), Arrow("t2", "A", "pago", "A"), rule=UNLESS),
        2,
        "t1",
    ),
    "R2": Twins(
        "R2",
        ALWAYS,
        flow(Arrow("t1", "A", "parar", "Z"), Arrow("t2", "A", "pago", "B"), rule=ALWAYS, events=STOP),
        flow(Arrow("t1", "A", "parar", "Z"), Arrow("t2", "A", "pago", "Z"), rule=ALWAYS, events=STOP),
        2,
        None,
    ),
    "R3": Twins(
        "R3",
        SENDS,
        flow(ANSWER, TOUCH, SPENT, Arrow("t4", "A", "pago", "A", do=("oi",)), rule=SENDS, context=COUNTER),
        flow(ANSWER, TOUCH, SPENT, Arrow("t4", "A", "pago", "A"), rule=SENDS, context=COUNTER),
        4,
        "t4",
    ),
    "R4": Twins(
        "R4",
        WINDOW,
        lambda: a_flow(
            [state("A"), state("B", 23 * HOUR, jitter=HOUR), final("Z")],
            [Arrow("t1", "A", "msg", "B"), Arrow("t2", "B", "timeout", "Z", do=("toque",))],
            rules=[WINDOW],
        ),
        lambda: a_flow(
            [state("A"), state("B", 23 * HOUR, jitter=HOUR - 1), final("Z")],
            [Arrow("t1", "A", "msg", "B"), Arrow("t2", "B", "timeout", "Z", do=("toque",))],
            rules=[WINDOW],
        ),
        2,
        "t2",
    ),
    "R4 template": Twins(
        "R4",
        WINDOW,
        flow(LATE, rule=WINDOW),
        flow(LATE, rule=WINDOW, actions=[_templated("toque")]),
        1,
        "t2",
    ),
    "R5": Twins(
        "R5",
        ONCE,
        flow(DELIVER, rule=ONCE),
        flow(
            DELIVER,
            rule=ONCE,
            events=PURCHASE,
            actions=[Send(id="entregar", text=text("oi"), once_per="{{event.transacao}}")],
        ),
        2,
        "t1",
    ),
    "R5 counted": Twins(
        "R5",
        ONCE,
        flow(
            Arrow("t1", "A", "pago", "A", "toques < 2", {"toques": "toques + 1"}, ("entregar",)),
            rule=ONCE,
            context=COUNTER,
        ),
        flow(
            Arrow("t1", "A", "pago", "A", "toques < 1", {"toques": "toques + 1"}, ("entregar",)),
            rule=ONCE,
            context=COUNTER,
        ),
        2,
        "t1",
    ),
    "R6": Twins(
        "R6",
        AFTER,
        flow(
            Arrow("t1", "A", "pago", "B", do=("entregar",)), Arrow("t2", "A", "msg", "A", do=("entregar",)), rule=AFTER
        ),
        flow(
            Arrow("t1", "A", "pago", "B", do=("entregar",)), Arrow("t2", "B", "msg", "B", do=("entregar",)), rule=AFTER
        ),
        1,
        "t2",
    ),
    "R7": Twins(
        "R7",
        ECHO,
        flow(ANSWER, TOUCH, SPENT, rule=ECHO, context=COUNTER),
        flow(
            Arrow("t1", "A", "msg", "A", "toques < 3", {"toques": "toques + 1"}, ("oi",)),
            Arrow("t2", "A", "msg", "B", "otherwise"),
            rule=ECHO,
            context=COUNTER,
        ),
        4,
        "t1",
    ),
    "R8": Twins(
        "R8",
        NUDGE,
        flow(Arrow("t1", "A", "msg", "A"), LATE, rule=NUDGE, events=[message("preco", priority=5)]),
        flow(
            Arrow("t1", "A", "msg", "A"), LATE, rule=NUDGE, events=[message("preco", priority=5, falls_back_to="msg")]
        ),
        2,
        "t2",
    ),
}


def silence(*ladder: int, exhausted: str | None = None, counted: bool = False) -> Flow:
    """A state that reminds for ever, unless its ladder or a counter ends it."""
    when, then = ("toques < 3", {"toques": "toques + 1"}) if counted else (None, {})
    arrows = [Arrow("t1", "A", "msg", "B"), Arrow("t2", "B", "timeout", "B", when, then, ("toque",))]
    if exhausted is not None:
        arrows.append(Arrow("t3", "B", "exhausted", exhausted))
    if counted:
        arrows.append(Arrow("t4", "B", "timeout", "Z", "otherwise"))
    return a_flow(
        [state("A", DAY), state("B", *ladder), final("Z"), state("FORA", kind=StateKind.OPTOUT)],
        arrows,
        context=COUNTER,
    )
