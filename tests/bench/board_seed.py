"""A busy desk for its measures: thousands of conversations under way in one flow, each with twenty texts."""

from collections.abc import Iterator

from engine.core.canonical import canonical
from engine.core.flow import HOUR, MINUTE
from engine.runtime import Runtime
from engine.store import findable
from engine.store.connection import Tx
from engine.store.findable import Text

STATES = ("NOVO", "ENGAJADO", "NEGOCIANDO", "CHECKOUT_ENVIADO", "AGUARDANDO_PIX", "RECUPERANDO")
WORDS = (
    *(
        "oi",
        "quero",
        "saber",
        "quanto",
        "custa",
        "curso",
        "costura",
        "desconto",
        "parcela",
        "boleto",
        "cartão",
        "amanhã",
    ),
    *("marido", "esposa", "certificado", "aula", "gravada", "turma", "vídeo", "senha", "acesso", "código", "pagamento"),
    *("fatura", "prazo", "entrega", "material", "molde", "tecido", "máquina", "linha", "agulha"),
)
TEXTS = 20
PORTION = 150
CONVERSATION = """INSERT INTO conversation (id, contact_id, channel_id, flow, flow_version, state, context, entered_at, deadline_at,
 armed_at, rung, last_inbound_at, lease_until, send_lease_until, version, log_n, log_hash, attention, replies_in_state, opened_at,
 updated_at, active_at) VALUES :rows"""
INBOUND = """INSERT INTO inbound (id, channel_id, provider_id, conversation_id, contact_id, kind, text, media, marks, at, received_at,
 processed_at, outcome) VALUES :rows"""
OUTBOX = """INSERT INTO outbox (id, conversation_id, contact_id, channel_id, action, part, parts, cause, is_global, confirms_opt_out,
 critical, state, payload, as_template, status, created_at, due_at, lease_until, attempt, sent_at) VALUES :rows"""


async def seed(runtime: Runtime, flow: str, channel: int, people: int) -> None:
    """Contacts 1 to `people`, each with the conversation of the same number."""
    now = runtime.clock.now()
    for begin in range(1, people + 1, PORTION):
        numbers = range(begin, min(begin + PORTION, people + 1))
        await runtime.store.write("bench", lambda tx, some=numbers: _portion(tx, flow, channel, some, now))  # type: ignore[misc] # a default argument has no type
    if runtime.settings.database_url.startswith("postgresql"):
        await runtime.store.write("bench", lambda tx: [tx.run(f"SELECT setval('{t}_id_seq', (SELECT MAX(id) FROM {t}))")
                                                       for t in ("contact", "conversation", "inbound", "outbox")])  # fmt: skip
        await runtime.store.write("bench", lambda tx: tx.run("ANALYZE"))


def _portion(tx: Tx, flow: str, channel: int, numbers: range, now: int) -> None:
    names = [(n, f"{WORDS[n % len(WORDS)].title()} Silva {n}", f"55119{80_000_000 + n}") for n in numbers]
    tx.run("INSERT INTO contact (id, name, phone, tags, created_at) VALUES :rows",
           rows=[(n, name, phone, canonical(["vip"]) if n % 50 == 0 else "[]", now) for n, name, phone in names])  # fmt: skip
    tx.run("INSERT INTO identity (kind, value, contact_id, seen_as, created_at) VALUES :rows",
           rows=[("phone", phone, n, phone, now) for n, _, phone in names])  # fmt: skip
    tx.run(CONVERSATION, rows=[_conversation(n, flow, channel, now) for n in numbers])
    said = [_said(n, t) for n in numbers for t in range(TEXTS)]
    tx.run(INBOUND, rows=[(ident, channel, f"b{ident}", n, n, "text", text, "{}", "{}", now - ident % HOUR, now, now, "transition")
                          for ident, n, text, ours in said if not ours])  # fmt: skip
    tx.run(OUTBOX, rows=[(ident, n, n, channel, "oi", 1, 1, "message", False, False, False, "NOVO", canonical({"text": text}), False,
                          "sent", now, now, 0, 1, now) for ident, n, text, ours in said if ours])  # fmt: skip
    findable.add(tx, [Text(n, None, "name", n, name) for n, name, _ in names])
    findable.add(tx, [Text(n, n, "out" if ours else "in", ident, text) for ident, n, text, ours in said])


def _conversation(n: int, flow: str, channel: int, now: int) -> tuple[object, ...]:
    deadline = now + (n * 7_919) % (4 * HOUR) - MINUTE // 2 if n % 5 else None
    attention = ("asked_for_person", "send_failed", "send_unknown")[n % 3] if n % 100 == 0 else None
    entered = now - (n * 104_729) % (20 * HOUR)
    return (n, n, channel, flow, 1, STATES[n % len(STATES)], "{}", entered, deadline, entered, 0, entered, 0, 0, 0, 0, "", attention,
            0, entered, entered, entered)  # fmt: skip


def _said(n: int, t: int) -> tuple[int, int, str, bool]:
    """The id of a text, whose it is, its words, and whether it is ours."""
    ident = n * TEXTS + t
    return ident, n, " ".join(_words(ident)), t % 2 == 1


def _words(ident: int) -> Iterator[str]:
    return (WORDS[(ident * 31 + k * (7 + ident % 11)) % len(WORDS)] for k in range(12))
