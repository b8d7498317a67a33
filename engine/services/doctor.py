"""`trilho doctor`: every invariant on a live database, written independently of the engine that has to keep them.

It has its own questions to the database (`engine/store/examination/`), its own hashes and its own reading of the log;
of the code that decides, sends and sweeps it uses nothing. Everything is read in one snapshot.
"""

from collections.abc import Mapping

from engine.core.flow import Millis
from engine.services.doctor_approvals import check_approvals
from engine.services.doctor_cases import Case, Published, cases, published
from engine.services.doctor_chains import audit_break
from engine.services.doctor_consent import check_campaigns, check_consent
from engine.services.doctor_ledger import Ledger, Verdict
from engine.services.doctor_letters import check_letters, check_line
from engine.services.doctor_story import check_story
from engine.services.doctor_tables import check_tables
from engine.store.connection import Tx
from engine.store.examination.conversations import merged
from engine.store.lanes import Store

__all__ = ["Verdict", "examine", "examined"]


async def examine(store: Store, now: Millis) -> list[Verdict]:
    """Every invariant with what breaks it. `now` is what "overdue" is measured by. Raises StoreUnavailable."""
    return await store.read(lambda tx: examined(tx, now))


def examined(tx: Tx, now: Millis) -> list[Verdict]:
    """The same inside a transaction."""
    ledger = Ledger()
    check_tables(ledger, tx, now)
    check_consent(ledger, tx)
    check_campaigns(ledger, tx)
    flows, known_as = published(tx), merged(tx)
    check_approvals(ledger, tx, flows)
    for case in cases(tx):
        _check(ledger, case, flows, known_as)
    rows, _, broken = audit_break(tx)
    ledger.saw("audit-chain", rows)
    if broken is not None:
        ledger.broken("audit-chain", broken)
    return ledger.verdicts()


def _check(ledger: Ledger, case: Case, flows: Published, known_as: Mapping[int, int]) -> None:
    conversation = case.conversation
    ledger.saw("states")
    states = flows.states.get((conversation.flow, conversation.flow_version), frozenset())
    if not {conversation.state, conversation.previous or conversation.state} <= states:
        ledger.broken("states", f"conversation {conversation.id}")
    check_line(ledger, case, known_as)
    decisions = check_story(ledger, case, flows.secret[conversation.flow])
    if decisions is not None:
        check_letters(ledger, case, decisions, flows.sends[conversation.flow])
