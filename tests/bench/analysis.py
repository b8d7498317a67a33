"""What the page of figures costs: reading and counting 100,000 rows of the log, with messages and letters beside them."""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from engine import samples
from engine.core.canonical import canonical
from engine.core.flow import DAY, HOUR, MINUTE
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.services import publish
from engine.services.analysis import Question, analyse
from engine.store import migrations
from tests.runtimes import a_runtime
from web import i18n
from web.analysis_pages import page_of

ROWS = 100_000
SPAN = 60 * DAY
STEPS = {
    "NOVO": (("ENGAJADO", 0.9, "msg_recebida", "message"), ("RECUPERANDO", 1, "timeout", "clock")),
    "ENGAJADO": (("NEGOCIANDO", 0.72, "pediu_preco", "message"), ("RECUPERANDO", 1, "timeout", "clock")),
    "NEGOCIANDO": (
        ("CHECKOUT_ENVIADO", 0.53, "quer_comprar", "message"),
        ("NEGOCIANDO", 0.7, "msg_recebida", "message"),
        ("OPT_OUT", 0.72, "pediu_parar", "message"),
        ("RECUPERANDO", 1, "timeout", "clock"),
    ),
    "CHECKOUT_ENVIADO": (
        ("PAGO", 0.35, "pagamento_aprovado", "payment"),
        ("AGUARDANDO_PIX", 0.6, "pix_gerado", "payment"),
        ("RECUPERANDO", 1, "timeout", "clock"),
    ),
    "AGUARDANDO_PIX": (("PAGO", 0.7, "pagamento_aprovado", "payment"), ("RECUPERANDO", 1, "timeout", "clock")),
    "RECUPERANDO": (("NEGOCIANDO", 0.2, "msg_recebida", "message"), ("PERDIDO", 1, "exhausted", "clock")),
}
"""Where people go from each state: up to which chance, on which event, of which source."""
REACH = {"clock": (20 * HOUR, 30 * HOUR), "message": (MINUTE, 3 * HOUR), "payment": (MINUTE, 40 * MINUTE)}
_TABLES = {
    "conversation": """INSERT INTO conversation (id, contact_id, flow, flow_version, state, context, entered_at, armed_at,
      rung, last_inbound_at, lease_until, send_lease_until, version, log_n, log_hash, replies_in_state, opened_at,
      updated_at, active_at) VALUES (:id, :id, 'venda', 1, :state, '{}', :at, :at, 0, 0, 0, 0, 1, :n, '', 0, :opened, :at,
      :at)""",
    "log": """INSERT INTO log (at, conversation_id, contact_id, outcome, event_id, event, frm, "to", reason, facts, n)
      VALUES (:at, :id, :id, :outcome, :event_id, :event, :frm, :to, :reason, :facts, :n)""",
    "inbound": """INSERT INTO inbound (channel_id, provider_id, conversation_id, contact_id, kind, media, marks, at,
      received_at, processed_at, event_id, outcome)
      VALUES (1, :provider, :id, :id, 'text', '{}', '{}', :at, :at, :at, :event_id, 'batched')""",
    "outbox": """INSERT INTO outbox (conversation_id, contact_id, event_id, action, part, parts, cause, is_global,
      confirms_opt_out, critical, state, payload, as_template, status, created_at, due_at, lease_until, attempt, sent_at,
      delivery) VALUES (:id, :id, :event_id, :action, 1, 1, 'message', false, false, false, 'X', '{}', false, 'sent', :at,
      :at, 0, 1, :at, :delivery)""",
}


def talk(number: int, begun: int, random: Random) -> Iterator[tuple[str, dict[str, Any]]]:
    """The rows of one conversation, by table."""
    at, state, n = begun, "NOVO", 1

    def entry(event_id: str | None, event: str | None, frm: str | None, to: str, source: str | None) -> dict[str, Any]:
        facts: dict[str, Any] = {
            "flow_version": 1,
            "after": {"state": to, "last_inbound_at": at, "deadline_at": at + DAY},
        }
        facts |= {"source": source, "transition": "t1", "actions": ["boas_vindas"]} if source else {"flow": "venda"}
        outcome, reason = ("transition", None) if source else ("note", "opened")
        return {
            "at": at, "id": number, "outcome": outcome, "reason": reason, "event_id": event_id, "event": event,
            "frm": frm, "to": to, "facts": canonical(facts), "n": n,
        }  # fmt: skip

    yield "log", entry(None, None, None, state, None)
    while state in STEPS and n < 12:
        drawn = random.random()
        to, _, event, source = next(step for step in STEPS[state] if drawn <= step[1])
        at += random.randint(*REACH[source])
        n, event_id = n + 1, f"{'timeout' if source == 'clock' else 'in'}:{number}:{n}"
        if source == "message":
            for piece in range(random.choice((1, 1, 2, 3))):
                at += round(random.lognormvariate(8, 0.7)) if piece else 0
                yield "inbound", {"provider": f"{number}.{n}.{piece}", "id": number, "at": at, "event_id": event_id}
        yield "log", entry(event_id, event, state, to, source)
        action, delivery = random.choice(("boas_vindas", "mandar_oferta")), random.choice(("delivered", "read", "read"))
        yield "outbox", {"id": number, "event_id": event_id, "action": action, "at": at, "delivery": delivery}
        for news in ("sent", "delivery", "delivery")[: 2 + (delivery == "read")]:
            facts = canonical({"action": action, "part": 1, "parts": 1, "status": delivery})
            told = {"outcome": news, "reason": None, "frm": None, "to": None, "facts": facts, "n": None}
            yield "log", {"at": at, "id": number, "event_id": event_id, "event": None, **told}
        if event == "pediu_parar":
            n += 1
            yield "log", {**entry(event_id, event, state, to, source), "outcome": "opt_out", "frm": state, "to": None}
        state = to
    yield "conversation", {"id": number, "state": state, "at": at, "n": n, "opened": begun}


async def seeded(runtime: Runtime, rows: int, seed: int = 7) -> None:
    """The sample with people of the last weeks, until the log has so many rows."""
    await publish.publish_tree(runtime, samples.tree("venda"), "", Actor("bench"))
    random, now = Random(seed), runtime.clock.now()
    made: dict[str, list[dict[str, Any]]] = {table: [] for table in _TABLES}
    number = 0
    while len(made["log"]) < rows:
        number += 1
        for table, row in talk(number, now - random.randint(DAY, SPAN), random):
            if row["at"] <= now or table == "conversation":
                made[table].append(row | ({"at": min(row["at"], now)} if table == "conversation" else {}))
    for table, sql in _TABLES.items():
        await runtime.store.write("seed", lambda tx, sql=sql, table=table: tx.many(sql, made[table]))


async def measure() -> dict[str, object]:
    """Milliseconds of processor time, best of three: the figures of a range, and what the page shows of them."""
    figures: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'trilho.db'}"
        migrations.upgrade(url)
        runtime = a_runtime(url)
        await seeded(runtime, ROWS)
        for name in ("7d", "30d", "90d"):
            figures[f"{ROWS:,} rows of the log, {name}, ms"] = min([await _took(runtime, name) for _ in range(3)])
        await runtime.close()
    return figures


async def _took(runtime: Runtime, name: str) -> int:
    begun = time.process_time()
    with i18n.speaking("pt-BR"):
        made = page_of(await analyse(runtime, "venda", Question(range=name, wait=6_000)))
    assert made.closes
    return round((time.process_time() - begun) * 1_000)
