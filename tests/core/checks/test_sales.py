"""The checks on the sales machine as it was printed."""

from engine import samples
from engine.core.checks.findings import Severity
from engine.core.checks.run import blocks, check, proved
from engine.core.document import read
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
    assert {f.code for f in findings} == {"S1", "S3", "S4", "S6", "S7", "W3"}
    assert blocks(findings)


def test_every_rule_of_the_repaired_sales_flow_is_proved_and_nothing_is_found_in_it() -> None:
    flow = read(samples.tree("venda"))

    assert check(flow) == ()
    assert proved(flow) == tuple(range(len(flow.rules)))
    assert {rule.kind for rule in flow.rules} == {
        "never", "always", "sends_without_reply", "window", "at_most", "only_after", "echo", "no_nudge_unanswered",
    }  # fmt: skip


def test_the_sales_flow_as_it_is_first_drawn_breaks_its_own_rules() -> None:
    """The touches never end, deliveries and goodbyes repeat, a robot is answered for ever, silence nudges the ignored."""
    flow = read(samples.tree("venda-literal"))
    found = {f.code + (f.where.state or ""): [s["event"] for s in f.path] for f in check(flow) if f.path is not None}

    assert {key: len(events) for key, events in found.items()} == {
        "R3PAGO": 5, "R4NOVO": 1, "R5OPT_OUT": 2, "R5PAGO": 2, "R7ENGAJADO": 5, "R8ENGAJADO": 3, "S7RECUPERANDO": 4,
    }  # fmt: skip
    assert found["R8ENGAJADO"] == ["msg_recebida", "quer_comprar", "timeout"]
    assert found["R5PAGO"] == ["pagamento_aprovado", "pagamento_aprovado"]
    assert [flow.rules[number].kind for number in proved(flow)] == ["never", "always", "only_after"]
