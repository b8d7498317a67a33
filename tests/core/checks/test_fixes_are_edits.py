"""Every repair that a finding offers is an edit that can be made, and it makes the finding go away."""

import pytest

from engine import samples
from engine.core import edits
from engine.core.checks.run import check
from engine.core.document import read

OVERLAP = {
    "schema": 1,
    "slug": "toques",
    "title": "Toques",
    "timezone": "America/Sao_Paulo",
    "initial": "A",
    "context": {"toques": {"type": "int", "default": 0, "min": 0, "max": 5}},
    "events": {"msg_recebida": {"source": "message"}, "pago": {"source": "payment"}},
    "actions": {},
    "states": {"A": {"deadline": "1d"}, "B": {"kind": "final"}},
    "transitions": [
        {"id": "t1", "from": "A", "on": "timeout", "when": "toques < 3", "to": "A", "set": {"toques": "toques + 1"}},
        {"id": "t2", "from": "A", "on": "timeout", "when": "toques >= 2", "to": "B"},
        {"id": "t3", "from": "A", "on": "msg_recebida", "to": "A"},
        {"id": "t4", "from": "A", "on": "pago", "when": "toques > 1", "to": "B"},
        {"id": "t5", "from": "A", "on": "pago", "when": "toques > 7", "to": "A"},
    ],
}


UNUSED = OVERLAP | {"events": OVERLAP["events"] | {"sem_fonte": {"source": "effect"}}}


def offered():
    literal = samples.tree("venda-literal")
    for name, tree in (("overlap", OVERLAP), ("unused", UNUSED), ("venda-literal", literal)):
        for finding in check(read(tree)):
            for fix in finding.fixes:
                yield pytest.param(
                    tree, finding, fix, id=f"{name}-{finding.code}-{finding.where.event}-{fix.label_code}"
                )


@pytest.mark.parametrize(("tree", "finding", "fix"), list(offered()))
def test_a_repair_can_be_made_and_ends_its_finding(tree, finding, fix):
    repaired = read(edits.apply(tree, fix.edit))

    left = [(f.code, f.where) for f in check(repaired)]
    assert (finding.code, finding.where) not in left
