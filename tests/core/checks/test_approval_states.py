"""S6 for approval states: an arrow for each thing that can become of a request, an end, and approvers who exist (R7)."""

import pytest

from engine.core.checks.findings import Severity
from engine.core.checks.run import blocks, check
from engine.core.document import read
from tests.services.discount import discount


def told(tree):
    return [(f.facts.get("variant"), f.where.state, f.where.event) for f in check(read(tree)) if f.code == "S6"]


def without(*arrows):
    tree = discount()
    tree["transitions"] = [row for row in tree["transitions"] if row["id"] not in arrows]
    return tree


def test_an_approval_with_all_its_arrows_has_no_finding():
    assert check(read(discount())) == ()


@pytest.mark.parametrize(
    ("tree", "finding"),
    [
        (without("t4"), ("no_rejected", "DESCONTO", "rejected")),
        (without("t5"), ("no_arrow", "DESCONTO", "timeout")),
        (discount(states__DESCONTO={"kind": "approval"}), ("no_expiry", "DESCONTO", None)),
        (discount(states__DESCONTO__approvers=["gerente"]), ("approvers", "DESCONTO", None)),
    ],
)
def test_what_an_approval_lacks_is_told_and_blocks_nothing(tree, finding):
    assert told(tree) == [finding]
    assert all(f.severity is Severity.WARNING for f in check(read(tree)) if f.code == "S6")


def test_an_approval_that_leads_nowhere_is_told():
    assert ("no_approved", "DESCONTO", "approved") in told(without("t3"))


def test_no_conversation_begins_with_an_approval():
    findings = check(read(discount(initial="DESCONTO")))
    assert ("begins", "DESCONTO", None) in [(f.facts.get("variant"), f.where.state, f.where.event) for f in findings]
    assert blocks(findings)


def test_a_decision_happens_only_where_the_flow_waits_for_one():
    """An arrow for it in any other state is never taken (S2)."""
    tree = discount()
    tree["transitions"].append({"id": "t20", "from": "NOVO", "on": "approved", "to": "OFERTA"})
    assert [(f.code, f.where.transitions) for f in check(read(tree))] == [("S2", ("t20",))]


def test_what_ignores_a_decision_on_purpose_is_not_told():
    tree = without("t4")
    tree["ignore"].append({"state": "DESCONTO", "on": ["rejected"]})
    assert told(tree) == []
