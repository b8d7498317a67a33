"""Random small flows with rules of every kind."""

from dataclasses import replace
from random import Random

from hypothesis import strategies as st

from engine.core.flow import Flow, Rule, Send, Template
from tests.factories import notify, text
from tests.strategies import random_flow, seeded

_DOING = ((), ("oi",), ("oi", "oi"), ("oferta",), ("tchau", "oi"), ("aviso",), ("aviso", "oferta"))
_ACTIONS = (
    Send(id="oi", text=text("oi")),
    Send(id="oferta", text=text("compre"), template=Template("oferta", "pt_BR")),
    Send(id="tchau", text=text("tchau"), once_per="{{contact.name}}"),
    notify("aviso"),
)


def random_ruled_flow(rng: Random) -> Flow:
    """A random flow whose arrows do one thing or another, with one rule of each kind."""
    flow = random_flow(rng)
    rates = rng.choice((0.2, 0.6))

    def doing() -> tuple[str, ...]:
        return rng.choice(_DOING) if rng.random() < rates else ()

    return replace(
        flow,
        transitions=tuple(replace(t, do=doing()) for t in flow.transitions),
        globals=tuple(replace(t, do=doing()) for t in flow.globals),
        actions={action.id: action for action in _ACTIONS},
        rules=random_rules(rng),
    )


def random_rules(rng: Random) -> tuple[Rule, ...]:
    def what() -> dict[str, str]:
        key = rng.choice(("state", "event", "do"))
        pool = {"state": "ABC", "event": ("msg", "preco", "pago", "timeout"), "do": ("oi", "oferta", "aviso")}[key]
        return {key: rng.choice(pool)}

    name = rng.choice(("oi", "oferta", "tchau", "aviso"))
    unless = {"unless": [rng.choice(("aviso", "oi"))]} if rng.random() < 0.4 else {}
    targets = rng.choice(("A", ["B"], ["A", "C"]))
    return (
        Rule("never", {"never": {"do": name}, "after": what(), **unless}),
        Rule("always", {"always": rng.choice(("msg", "preco", "pago")), "leads_to": targets}),
        Rule("sends_without_reply", {"at_most": rng.randrange(4), "sends_without_reply": True}),
        Rule("window", {"window": rng.choice(("1h", "3h", "24h", "2d"))}),
        Rule("at_most", {"at_most": rng.randrange(3), "do": name}),
        Rule("only_after", {"only_after": what(), "do": name}),
        Rule("echo", {"echo": rng.randint(1, 3)}),
        Rule("no_nudge_unanswered", {"no_nudge_unanswered": True}),
    )


def ruled_flows() -> st.SearchStrategy[Flow]:
    return seeded(random_ruled_flow)
