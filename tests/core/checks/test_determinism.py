"""G1 to G6 (R1, R3): overlaps, gaps, dead and shadowed arrows, conditions without an answer, and their fixes."""

import dataclasses

import pytest

from engine.core.checks.findings import Finding, Severity
from engine.core.checks.run import blocks, check
from engine.core.checks.sentences import fix_label, sentence
from engine.core.flow import Field, FieldType, Flow
from engine.core.guards.language import parse_guard
from engine.core.guards.scope import declare
from tests.factories import DAY, Arrow, a_flow, final, message, number, state

CONTEXT = [
    number("toques", 0, 5),
    number("n"),
    Field(name="plano", type=FieldType.ENUM, values=("basico", "pro"), optional=True),
    Field(name="nota", type=FieldType.DOUBLE, default=0.0),
]


def group(*conditions: str | None, ignored: tuple[tuple[str, str], ...] = (), extra: tuple[Arrow, ...] = ()) -> Flow:
    """One state with arrows t1, t2, … on a payment, and nothing else to say."""
    arrows = [Arrow(f"t{i}", "A", "pago", "B", when) for i, when in enumerate(conditions, 1)]
    rest = [Arrow("m", "A", "msg", "A"), Arrow("s", "A", "timeout", "B"), Arrow("b", "B", "msg", "B")]
    return a_flow([state("A", DAY), final("B")], [*arrows, *rest, *extra], context=CONTEXT, ignored=ignored)


def found(flow: Flow, code: str) -> list[Finding]:
    return [f for f in check(flow) if f.code == code]


def edited(flow: Flow, edit: dict[str, object]) -> Flow:
    """The flow after a `set_transition` edit of a condition."""
    assert (edit["op"], edit["field"]) == ("set_transition", "when")

    def changed(arrow):
        if arrow.id != edit["id"]:
            return arrow
        if edit["value"] == "otherwise":
            return dataclasses.replace(arrow, when=None, otherwise=True)
        return dataclasses.replace(
            arrow, when=parse_guard(str(edit["value"]), declare(flow.context, flow.events[arrow.on].data))
        )

    return dataclasses.replace(
        flow,
        transitions=tuple(map(changed, flow.transitions)),
        globals=tuple(map(changed, flow.globals)),
    )


@pytest.mark.parametrize(
    "conditions",
    [
        (None,),
        ("toques < 3", "toques >= 3"),
        ("toques < 3", "otherwise"),
        ("plano == 'pro'", "plano == 'basico'", "plano == null"),
        ("now() - last_inbound < 24h", "now() - last_inbound >= 24h"),
        ("has(contact.name) && contact.name.startsWith('a')", "otherwise"),
    ],
)
def test_a_sound_group_has_nothing_to_say(conditions: tuple[str | None, ...]) -> None:
    assert check(group(*conditions)) == ()


def test_g1_two_arrows_that_can_both_fire_are_shown_with_values() -> None:
    flow = group("toques >= 2", "toques < 3")

    (overlap,) = found(flow, "G1")

    assert overlap.severity is Severity.ERROR
    assert (overlap.where.state, overlap.where.event, overlap.where.transitions) == ("A", "pago", ("t1", "t2"))
    assert overlap.witness == {"toques": 2}
    assert overlap.message == "Duas setas podem disparar ao mesmo tempo quando toques = 2"
    assert sentence(overlap, "en") == "Two arrows can fire at the same time when toques = 2"
    assert [fix_label(fix, "pt-BR") for fix in overlap.fixes] == [
        "Mudar t2 para toques < 2",
        "Mudar t1 para toques >= 3",
    ]


def test_g1_two_arrows_without_a_condition_always_overlap() -> None:
    (overlap,) = found(group(None, None), "G1")

    assert overlap.witness == {}
    assert overlap.message == "Duas setas podem disparar ao mesmo tempo: t1 e t2 não se excluem"
    assert sentence(overlap, "en") == "Two arrows can fire at the same time: t1 and t2 do not exclude each other"


def test_g1_two_otherwise_overlap_where_no_other_guard_holds() -> None:
    (overlap,) = found(group("toques < 3", "otherwise", "otherwise"), "G1")

    assert overlap.where.transitions == ("t2", "t3")
    assert overlap.witness == {"toques": 3}


def test_g1_two_global_arrows_are_told_once() -> None:
    globals_ = (Arrow("g1", None, "pago", "B", "toques < 3"), Arrow("g2", None, "pago", "B", "toques < 2"))
    flow = group(None, extra=globals_)

    (overlap,) = found(flow, "G1")

    assert (overlap.where.state, overlap.where.transitions) == (None, ("g1", "g2"))


def test_globals_that_no_state_takes_both_of_do_not_overlap() -> None:
    """R4: `except` keeps two global arrows apart."""
    flow = group(
        None,
        extra=(
            Arrow("g1", None, "pago", "B", "toques < 3", excepting=frozenset({"A"})),
            Arrow("g2", None, "pago", "B", "toques < 2", excepting=frozenset({"B"})),
        ),
    )

    assert found(flow, "G1") == []


def test_g2_a_context_in_which_no_arrow_fires_is_shown() -> None:
    flow = group("toques < 3", "toques > 3")

    (gap,) = found(flow, "G2")

    assert gap.witness == {"toques": 3}
    assert gap.message == "Em A, nenhuma seta dispara em pago quando toques = 3"
    assert [fix_label(fix, "en") for fix in gap.fixes] == [
        "Change t2 to toques >= 3",
        "Make t2 the arrow of all other cases",
    ]
    assert blocks([gap])


def test_g2_an_unset_field_leaves_a_gap() -> None:
    (gap,) = found(group("plano == 'pro'", "plano == 'basico'"), "G2")

    assert gap.witness == {"plano": None}
    assert gap.message == "Em A, nenhuma seta dispara em pago quando plano não tem valor"


def test_g2_ignore_global_and_fallback_rows_cover_a_gap() -> None:
    """R2: what a later group of the lookup always takes is no gap."""
    assert found(group("toques < 3", ignored=(("A", "pago"),)), "G2") == []
    assert found(group("toques < 3", extra=(Arrow("g", None, "pago", "B", "toques >= 3"),)), "G2")[0].where.state == "B"

    events = [message("preco", falls_back_to="msg", priority=5)]
    falling = a_flow(
        [state("A", DAY)],
        [Arrow("t1", "A", "preco", "A", "toques < 3"), Arrow("t2", "A", "msg", "A")],
        events=events,
        context=CONTEXT,
    )
    alone = a_flow([state("A", DAY)], [Arrow("t1", "A", "preco", "A", "toques < 3")], events=events, context=CONTEXT)
    rest = a_flow(
        [state("A", DAY)],
        [
            Arrow("t1", "A", "preco", "A", "toques < 3"),
            Arrow("t2", "A", "msg", "A", "toques < 2"),
            Arrow("t3", "A", "msg", "A", "otherwise"),
        ],
        events=events,
        context=CONTEXT,
    )
    assert found(falling, "G2") == found(rest, "G2") == []
    assert len(found(alone, "G2")) == 1


def test_g2_a_gap_of_global_arrows_alone_is_told_once_for_all_states() -> None:
    flow = group(extra=(Arrow("g", None, "pago", "B", "toques < 3"),))

    (gap,) = found(flow, "G2")

    assert (gap.where.state, gap.where.transitions) == (None, ("g",))
    assert gap.message == "Em A e B, nenhuma seta dispara em pago quando toques = 3"
    assert gap.fixes == ()


def test_g2_a_single_arrow_may_be_left_alone_on_purpose() -> None:
    (gap,) = found(group("toques < 3"), "G2")

    assert [fix.edit for fix in gap.fixes] == [{"op": "ignore", "state": "A", "event": "pago"}]


def test_g2_and_g3_a_condition_that_is_never_true() -> None:
    flow = group("toques > 9")

    assert [f.message for f in found(flow, "G3")] == [
        "A seta t1 nunca dispara: a condição toques > 9 nunca é verdadeira"
    ]
    assert found(group("false"), "G2")[0].message == "Em A, nenhuma seta dispara em pago, em caso nenhum"


def test_g3_an_otherwise_after_a_complete_group_never_fires() -> None:
    (dead,) = found(group("toques < 3", "toques >= 3", "otherwise"), "G3")

    assert dead.severity is Severity.WARNING
    assert dead.where.transitions == ("t3",)
    assert dead.message == "A seta t3 nunca dispara: as outras já cobrem todos os casos"
    assert dead.fixes[0].edit == {"op": "delete_transition", "id": "t3"}


def test_g3_two_otherwise_after_a_complete_group_are_dead_and_do_not_overlap() -> None:
    flow = group("toques < 3", "toques >= 3", "otherwise", "otherwise")

    assert [f.where.transitions for f in found(flow, "G3")] == [("t3",), ("t4",)]
    assert found(flow, "G1") == []


def test_a_witness_tells_the_time_where_a_condition_reads_it() -> None:
    (gap,) = found(group("now() - last_inbound < 24h"), "G2")

    assert gap.witness is not None
    assert gap.witness["now()"] - gap.witness["last_inbound"] == DAY
    assert gap.message == "Em A, nenhuma seta dispara em pago quando a última mensagem foi há 1d"


def test_g4_an_arrow_behind_a_global_one_never_fires() -> None:
    """R4: globals come before the state's own arrows."""
    behind = group("toques > 3", "toques <= 3", extra=(Arrow("g", None, "pago", "B", "toques > 2"),))
    closed = group(None, extra=(Arrow("g", None, "pago", "B"),))
    rest = group("toques > 3", "otherwise", extra=(Arrow("g", None, "pago", "B", "toques <= 3"),))

    assert [f.where.transitions for f in found(behind, "G4")] == [("t1",)]
    assert [f.where.transitions for f in found(closed, "G4")] == [("t1",)]
    assert [f.where.transitions for f in found(rest, "G4")] == [("t2",)]
    assert found(closed, "G4")[0].message == "Em A, a seta t1 nunca dispara: as setas de qualquer estado vêm antes"
    assert not blocks(check(closed))


def test_g4_a_dead_arrow_is_not_also_shadowed() -> None:
    flow = group("toques > 9", "otherwise", extra=(Arrow("g", None, "pago", "B", "toques > 2"),))

    assert [f.code for f in check(flow) if f.where.transitions == ("t1",)] == ["G3"]


def test_g5_a_condition_on_an_unset_field_offers_has() -> None:
    (undefined,) = found(group("contact.name.startsWith('a')", "otherwise"), "G5")

    assert undefined.witness == {"contact.name": None}
    assert undefined.message == (
        "A condição contact.name.startsWith('a') fica sem resposta quando contact.name não tem valor"
    )
    assert undefined.fixes[0].edit == {
        "op": "set_transition",
        "id": "t1",
        "field": "when",
        "value": "has(contact.name) && contact.name.startsWith('a')",
    }


def test_g5_overflow_is_shown_and_has_no_fix() -> None:
    (undefined,) = found(group("n + 1 > 3", "otherwise"), "G5")

    assert undefined.witness == {"n": 2**63 - 1}
    assert undefined.fixes == ()
    assert found(group("9223372036854775807 + 1 > 3", "otherwise"), "G5")[0].message.endswith("nunca tem resposta")


def test_g6_what_is_not_proved_blocks_like_an_overlap() -> None:
    apart = "nota * nota == 0.25"
    flow = group(f"{apart} && nota == 0.7", f"{apart} && nota != 0.5 && nota != -0.5", "otherwise")

    unproved = found(flow, "G6")

    assert {f.facts.get("variant") for f in unproved} >= {None}
    assert all(f.severity is Severity.ERROR for f in unproved)


def test_g6_gaps_and_answers_that_are_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.core.guards.search.BUDGET", 0)
    flow = group("toques < 3", "toques > 3")

    messages = [f.message for f in check(flow) if f.code == "G6"]

    assert messages == [
        "Não deu para provar que a condição toques < 3 sempre tem resposta",
        "Não deu para provar que as setas t1 e t2 cobrem todos os casos",
        "Não deu para provar que as setas t1 e t2 nunca disparam juntas",
        "Não deu para provar que a condição toques > 3 sempre tem resposta",
    ]
    assert [f.where.transitions for f in found(group("toques < 3", "otherwise", "otherwise"), "G6")] == [
        ("t1",),
        ("t2", "t3"),
    ]


@pytest.mark.parametrize(
    ("conditions", "code"),
    [
        (("toques >= 2", "toques < 3"), "G1"),
        (("toques < 3", "n < 2", "otherwise"), "G1"),
        ((None, "toques < 3"), "G1"),
        (("plano == 'pro'", "plano != 'basico'", "otherwise"), "G1"),
        (("toques < 3", "toques > 3"), "G2"),
        (("plano == 'pro'", "plano == 'basico'"), "G2"),
        (("contact.name.startsWith('a')", "otherwise"), "G5"),
    ],
)
def test_every_fix_settles_its_finding_and_starts_no_overlap(conditions: tuple[str | None, ...], code: str) -> None:
    flow = group(*conditions)
    (finding,) = found(flow, code)
    assert finding.fixes

    for fix in finding.fixes:
        after = edited(flow, dict(fix.edit))
        assert found(after, code) == []
        assert found(after, "G1") == []


def test_a_name_that_two_events_carry_as_two_types_proves_nothing() -> None:
    """R2: a fallback's condition reads the other event's text as a number."""
    first = "has(event.x) && event.x == 'a'"
    complete = "!has(event.x) || event.x < 3 || event.x >= 3"
    flow = a_flow(
        [state("A", DAY), final("B")],
        [Arrow("t1", "A", "preco", "A", first), Arrow("t2", "A", "msg", "B", complete)],
        events=[message(x=FieldType.INT), message("preco", falls_back_to="msg", priority=5, x=FieldType.TEXT)],
    )

    assert found(flow, "G2") == []
    assert [(f.where.event, f.facts["variant"]) for f in found(flow, "G6")] == [("preco", "gap")]


def test_many_overlaps_are_all_told_and_only_the_first_get_fixes() -> None:
    flow = group(*(f"n != {i}" for i in range(8)))

    overlaps = found(flow, "G1")

    assert len(overlaps) == 28
    assert sum(bool(f.fixes) for f in overlaps) == 10


def test_no_fix_is_offered_that_does_not_settle_the_finding() -> None:
    flow = a_flow(
        [state("A", DAY)],
        [Arrow("t1", "A", "preco", "A", "event.valor < 3"), Arrow("t2", "A", "preco", "A", "event.valor > 3")],
        events=[
            message("preco", priority=5, valor=FieldType.INT),
            message("outro", falls_back_to="preco", priority=6),
        ],
    )
    overflowing = group("plano == 'pro' || n + 1 > 3 && plano.startsWith('b')", "otherwise")

    assert [fix.label_code for fix in found(flow, "G2")[0].fixes] == ["make_otherwise"]
    assert found(overflowing, "G5")[0].fixes == ()


def test_a_fix_that_would_pass_the_limits_of_the_language_is_not_offered() -> None:
    long = " && ".join([f"contact.tags.contains('{'x' * 400}{i}')" for i in range(4)])

    (overlap,) = found(group(f"toques < 3 && {long}", f"toques < 2 && {long}", "otherwise"), "G1")

    assert overlap.fixes == ()
