"""One edit of a flow of 30 and of 60 states, from the changed field to the new drawing and findings, as the editor's page does it."""

import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from engine.core.diagram.graph import Drawing
from engine.core.permissions import Actor
from engine.services import draw, edit, publish
from tests.runtimes import a_runtime

SHAPES = ((30, 3), (30, 1), (60, 6), (60, 1))
"""States, and the recovery states that share their silences: of parts, as people draw, or one for all."""
ROUNDS = 12


def flow_of(states: int, recoveries: int) -> dict[str, Any]:
    """A chain of states with self-answers, silences into the recovery state of its part of the chain, and a payment
    from anywhere."""
    names = [f"ETAPA_{n:02}" for n in range(states - 2 - recoveries)]
    part = -(-len(names) // recoveries)
    arrows: list[dict[str, Any]] = []
    for number, name in enumerate(names):
        following = names[number + 1] if number + 1 < len(names) else "PERDIDO"
        arrows += [
            {"from": name, "on": "msg_recebida", "to": name, "do": ["responder"]},
            {"from": name, "on": "quer_comprar", "to": following, "do": ["responder"]},
            {"from": name, "on": "timeout", "to": f"RECUPERANDO_{number // part}", "do": ["retomar"]},
        ]
    for number in range(recoveries):
        arrows += [
            {"from": f"RECUPERANDO_{number}", "on": "msg_recebida", "to": names[number * part], "do": ["responder"]},
            {"from": f"RECUPERANDO_{number}", "on": "timeout", "to": "PERDIDO"},
        ]
    template = {"name": "retomar", "language": "pt_BR"}
    return {
        "schema": 1,
        "slug": "medida",
        "title": "Medida",
        "timezone": "America/Sao_Paulo",
        "initial": names[0],
        "events": {
            "msg_recebida": {"source": "message"},
            "quer_comprar": {"source": "message", "falls_back_to": "msg_recebida", "priority": 10},
            "pagamento_aprovado": {"source": "payment"},
        },
        "understanding": [{"event": "quer_comprar", "any": ["quero comprar"]}],
        "actions": {
            "responder": {"kind": "send", "text": "Certo."},
            "retomar": {"kind": "send", "text": "Ainda por aqui?", "template": template},
        },
        "states": {
            **{name: {"deadline": "2h"} for name in names},
            **{f"RECUPERANDO_{n}": {"look": "recovery", "deadline": "1d"} for n in range(recoveries)},
            "PERDIDO": {"kind": "final", "look": "lost"},
            "PAGO": {"kind": "final", "look": "won"},
        },
        "transitions": [{"id": f"t{n}", **arrow} for n, arrow in enumerate(arrows, start=1)],
        "globals": [{"id": "g1", "on": "pagamento_aprovado", "to": "PAGO", "do": ["responder"]}],
    }


async def measure() -> dict[str, object]:
    """Every shape after the other."""
    figures: dict[str, object] = {}
    for states, recoveries in SHAPES:
        figures |= await _edits(states, recoveries)
    return figures


async def _edits(states: int, recoveries: int) -> dict[str, object]:
    """Change one deadline again and again; every round is a new drawing, no cache helps."""
    tree = flow_of(states, recoveries)
    with tempfile.TemporaryDirectory() as folder:
        runtime = a_runtime(f"sqlite:///{Path(folder) / 'bench.db'}")
        await runtime.store.migrate()
        await publish.add_draft(runtime, tree, Actor("bench"))
        times, checks = [], []
        for number in range(ROUNDS):
            begun = time.perf_counter()
            change = {"op": "set_state", "id": "ETAPA_05", "field": "deadline", "value": f"{number + 3}h"}
            await edit.edit(runtime, "medida", change, actor=Actor("bench"))
            opened = await edit.opened(runtime, "medida")
            middle = time.perf_counter()
            await publish.review(runtime, "medida")
            checks.append((time.perf_counter() - middle) * 1_000)
            await draw.picture(opened.flow, Drawing(theme="web"), "svg", "/flows/medida/draft")
            times.append((time.perf_counter() - begun) * 1_000)
        await runtime.close()
    arrows = len(tree["transitions"]) + len(tree["globals"])
    named = f"{states} states, {arrows} arrows, {recoveries} recovery states"
    return {
        f"{named}: edit, checks, drawing: median ms": round(statistics.median(times)),
        f"{named}: of which the checks, median ms": round(statistics.median(checks)),
    }
