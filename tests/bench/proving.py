"""What a check costs: the sample, and ninety guards on one (state, event)."""

import time
from typing import Any

from engine import samples
from engine.core.checks.run import check
from engine.core.document import read


async def measure() -> dict[str, object]:
    """Milliseconds, best of three: other programs only ever make it slower."""
    return {
        "venda, all checks, ms": _best(samples.tree("venda")),
        "90 disjoint guards on one (state, event), all checks, ms": _best(_ninety()),
    }


def _best(tree: dict[str, Any]) -> int:
    times = []
    for _ in range(3):
        flow = read(tree)
        begun = time.perf_counter()
        check(flow)
        times.append((time.perf_counter() - begun) * 1_000)
    return round(min(times))


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
