"""The checks on the sales machine as it was printed."""

from engine.core.checks.findings import Severity
from engine.core.checks.run import blocks, check
from tests.core.checks.sales import printed_sales_flow


def test_the_printed_sales_machine_has_its_known_mistakes() -> None:
    """PERDIDO has no way in, the first state no deadline, the touches no end, and fifteen messages are ignored."""
    findings = check(printed_sales_flow())

    errors = {(f.code, f.where.state, f.where.event) for f in findings if f.severity is Severity.ERROR}
    ignored = {(f.where.state, f.where.event) for f in findings if f.code == "S4"}
    assert errors == {
        ("S1", "PERDIDO", None),
        ("S3", None, "regua_esgotada"),
        ("S6", "NOVO", None),
        ("S7", "RECUPERANDO", "timeout"),
    }
    assert len(ignored) == 15
    assert {("NOVO", "pediu_preco"), ("NOVO", "quer_comprar"), ("RECUPERANDO", "quer_comprar")} <= ignored
    assert {f.code for f in findings} == {"S1", "S3", "S4", "S6", "S7"}
    assert blocks(findings)
