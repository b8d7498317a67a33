"""What a check costs: the sample, ninety guards on one (state, event), a flow of a thousand states, and one edit."""

import time
import tracemalloc
from typing import Any

from engine import samples
from engine.core.checks.run import Memory, check
from engine.core.document import read

STATES_A_STAGE = 10


async def measure() -> dict[str, object]:
    """Milliseconds of processor time, best of three: other programs only ever make it slower."""
    large = large_flow(100)
    begun = time.process_time()
    check(read(large))
    whole = time.process_time() - begun
    tracemalloc.start()
    check(read(large))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return {
        "venda, all checks and rules, ms": _best(samples.tree("venda")),
        "90 disjoint guards on one (state, event), all checks, ms": _best(_ninety()),
        f"{len(large['states'])} states, {len(large['transitions'])} arrows, all checks and rules, s": round(whole, 2),
        "the same, most memory, MB": round(peak / 1_000_000),
        "60 states, checked again after one edit, ms": edited(),
    }


def edited() -> int:
    """The best of five edits of a flow of sixty states, with the memory of the check before."""
    memory, tree, times = Memory(), large_flow(6), []
    check(read(tree), memory)
    for hours in range(2, 7):
        tree["states"]["E3_4"] |= {"deadline": f"{hours}h"}
        flow = read(tree)
        begun = time.process_time()
        check(flow, memory)
        times.append((time.process_time() - begun) * 1_000)
    return round(min(times))


def _best(tree: dict[str, Any]) -> int:
    times = []
    for _ in range(3):
        flow = read(tree)
        begun = time.process_time()
        check(flow)
        times.append((time.process_time() - begun) * 1_000)
    return round(min(times))


def large_flow(stages: int) -> dict[str, Any]:
    """Stages of ten states each with seven arrows a state, a counter of touches, conditions of its own, and all rules."""
    states: dict[str, Any] = {"PAGO": {"kind": "final"}, "PERDIDO": {"kind": "final"}, "FORA": {"kind": "optout"}}
    arrows: list[dict[str, Any]] = []

    def arrow(frm: str, on: str, to: str, **rest: object) -> None:
        arrows.append({"id": f"t{len(arrows)}", "from": frm, "on": on, "to": to, **rest})

    for stage in range(stages):
        for place in range(STATES_A_STAGE):
            name, after = f"E{stage}_{place}", f"E{stage}_{(place + 1) % STATES_A_STAGE}"
            further = f"E{min(stage + 1, stages - 1)}_0"
            states[name] = {"deadline": ["20h", "1d"], "jitter": "30m"}
            limit = 1_000 + 37 * (stage * STATES_A_STAGE + place)
            again = {"toques": 0, "respostas": 0}
            arrow(name, "msg", after, set=again, do=["responder"], when=f"valor < {limit}")
            arrow(name, "msg", further, set=again, do=["responder"], when="otherwise")
            arrow(name, "compra", further, set=again, do=["oferta"])
            arrow(name, "timeout", name, when="toques < 3", set={"toques": "toques + 1"}, do=["toque"])
            arrow(name, "timeout", "PERDIDO", when="otherwise")
            arrow(name, "exhausted", "PERDIDO")
            arrow(name, "recusado", after, when="toques < 3", set={"toques": "toques + 1"}, do=["toque"])
    return {
        "schema": 1,
        "slug": "grande",
        "title": "Grande",
        "timezone": "America/Sao_Paulo",
        "initial": "E0_0",
        "context": {
            "toques": {"type": "int", "default": 0, "min": 0, "max": 3},
            "respostas": {"type": "int", "default": 0, "min": 0, "max": 3},
            "valor": {"type": "int", "default": 0, "min": 0, "max": 100_000},
        },
        "events": {
            "msg": {"source": "message"},
            "compra": {"source": "message", "falls_back_to": "msg", "priority": 10},
            "parar": {"source": "message", "priority": 100},
            "pago": {"source": "payment", "data": {"transacao": "text"}},
            "recusado": {"source": "payment"},
        },
        "understanding": [{"event": "compra", "any": ["comprar"]}, {"event": "parar", "any": ["parar"]}],
        "actions": {
            "responder": {"kind": "send", "text": "Oi"},
            "oferta": {"kind": "send", "text": "Compre"},
            "toque": {"kind": "send", "text": "E aí?", "template": {"name": "toque", "language": "pt_BR"}},
            "entregar": {
                "kind": "send",
                "text": "Pronto",
                "once_per": "{{event.transacao}}",
                "template": {"name": "entrega", "language": "pt_BR"},
            },
            "tchau": {"kind": "send", "text": "Tchau"},
        },
        "states": states,
        "transitions": arrows,
        "globals": [
            {"id": "g1", "on": "pago", "to": "PAGO", "do": ["entregar"], "except": ["PAGO"]},
            {"id": "g2", "on": "parar", "to": "FORA", "do": ["tchau"], "except": ["FORA"]},
        ],
        "ignore": [{"state": s, "on": ["msg", "parar", "compra"]} for s in ("PAGO", "PERDIDO", "FORA")],
        "rules": [
            {"never": {"do": "oferta"}, "after": {"state": "PAGO"}},
            {"always": "parar", "leads_to": ["FORA", "PAGO"]},
            {"at_most": 4, "sends_without_reply": True},
            {"window": "24h"},
            {"at_most": 1, "do": "entregar"},
            {"only_after": {"event": "pago"}, "do": "entregar"},
            {"echo": 1},
            {"no_nudge_unanswered": True},
        ],
    }


def _ninety() -> dict[str, Any]:
    steps = 90
    guards = [f"pontos >= {n * 10} && pontos < {n * 10 + 10}" for n in range(steps - 1)]
    arrows = [
        {"id": f"t{n}", "from": "A", "on": "msg_recebida", "when": guard, "to": "A"} for n, guard in enumerate(guards)
    ]
    return {
        "schema": 1,
        "slug": "medida",
        "title": "Medida",
        "timezone": "America/Sao_Paulo",
        "initial": "A",
        "context": {"pontos": {"type": "int", "default": 0, "min": 0, "max": 1_000}},
        "events": {"msg_recebida": {"source": "message"}},
        "actions": {},
        "states": {"A": {"deadline": "1d"}, "FIM": {"kind": "final"}},
        "transitions": [
            *arrows,
            {"id": "tx", "from": "A", "on": "msg_recebida", "when": "otherwise", "to": "A"},
            {"id": "ty", "from": "A", "on": "timeout", "to": "FIM"},
        ],
    }
