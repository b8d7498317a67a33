"""One edit of a flow of 30 and of 60 states: from the field that is sent to the answer with panel, drawing and problems.

Through the application's routes, without a network between. The page is what a browser gets for it, compressed.
"""

import statistics
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
from litestar import Litestar

from engine.core.permissions import Actor, Role
from engine.runtime import Runtime
from engine.services import accounts, publish, sign_in
from tests.runtimes import a_runtime
from web.app import create_app

SHAPES = ((30, 3), (30, 1), (60, 6), (60, 1))
"""States, and the recovery states that share their silences: of parts, as people draw, or one for all."""
ROUNDS = 12
PASSWORD = "um trem azul no morro"


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


@asynccontextmanager
async def _editor(app: Litestar, runtime: Runtime) -> AsyncIterator[httpx.AsyncClient]:
    """A browser of somebody who may edit."""
    link = await accounts.invite(runtime, "bench@trilho.test", Role.PUBLISHER, Actor("bench"), name="Bench")
    await accounts.use_link(runtime, link, PASSWORD)
    token = await sign_in.sign_in(runtime, "bench@trilho.test", PASSWORD, "127.0.0.1")
    session = await sign_in.session(runtime, token)
    assert session is not None
    headers = {"hx-request": "true", "x-csrf-token": session.csrf, "accept-encoding": "gzip", "sec-fetch-site": "none"}
    transport, cookies = httpx.ASGITransport(app=app), {"trilho": token}
    async with httpx.AsyncClient(transport=transport, base_url="http://b", headers=headers, cookies=cookies) as client:
        yield client


async def _edits(states: int, recoveries: int) -> dict[str, object]:
    """Change one deadline again and again; every round is a new drawing, no cache helps."""
    tree = flow_of(states, recoveries)
    with tempfile.TemporaryDirectory() as folder:
        runtime = a_runtime(f"sqlite:///{Path(folder) / 'bench.db'}")
        await runtime.store.migrate()
        await publish.add_draft(runtime, tree, Actor("bench"))
        times = []
        app = create_app(runtime=runtime)
        async with app.lifespan(), _editor(app, runtime) as client:
            page = await client.get("/flows/medida/draft?sel=s:ETAPA_05", headers={"hx-request": ""})
            for number in range(ROUNDS):
                begun = time.perf_counter()
                answer = await client.patch(
                    "/flows/medida/draft/states/ETAPA_05",
                    data={"field": "deadline", "value": f"{number + 3} h", "seen": f'"{number + 2}h"'},
                )
                assert answer.status_code == 200, answer.text
                times.append((time.perf_counter() - begun) * 1_000)
        await runtime.close()
    arrows = len(tree["transitions"]) + len(tree["globals"])
    named = f"{states} states, {arrows} arrows, {recoveries} recovery states"
    return {
        f"{named}: a changed field to its answer, median ms": round(statistics.median(times)),
        f"{named}: the page compressed, KB": round(page.num_bytes_downloaded / 1_000),
    }
