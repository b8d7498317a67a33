"""V1 in words: which event, where, with which values, before and now; nothing of what is sensitive."""

from engine.core.checks.findings import Severity
from engine.core.checks.run import blocks
from engine.core.checks.sentences import sentence
from engine.core.checks.veiling import VEIL
from engine.core.differing.compare import compare
from engine.core.differing.findings import differences
from engine.core.flow import Field, FieldType, Flow
from tests.factories import DAY, HOUR, Arrow, a_flow, final, number, state


def version(*arrows: Arrow, ladder: tuple[int, ...] = (DAY,), **more) -> Flow:
    context = [number("toques", 0, 9), Field(name="renda", type=FieldType.MONEY, default=0, sensitive=True)]
    return a_flow([state("A", *ladder, **more), final("B")], arrows, context=context)


def told(old: Flow, new: Flow, language: str = "pt-BR") -> list[str]:
    return [sentence(found, language) for found in differences(compare(old, new))]


def test_a_difference_is_one_sentence_in_both_languages_and_blocks_nothing() -> None:
    old = version(Arrow("t1", "A", "pago", "A", "toques < 3", {"toques": "toques + 1"}, ("oi",)))
    new = version(Arrow("t9", "A", "pago", "B", "toques < 3", keep_deadline=True))

    (found,) = differences(compare(old, new))

    assert found.severity is Severity.INFO
    assert not blocks([found])
    assert (found.where.state, found.where.event, found.where.transitions) == ("A", "pago", ("t1", "t9"))
    assert found.witness == {"toques": 0}
    assert found.message == (
        "Em A, pago quando toques = 0: antes fica em A, faz oi, anota toques = toques + 1 (t1); "
        "agora vai para B, segue com o prazo que corria (t9)"
    )
    assert sentence(found, "en") == (
        "In A, pago when toques = 0: before, it stays in A, does oi, notes toques = toques + 1 (t1); "
        "now, it goes to B, keeps the deadline that ran (t9)"
    )


def test_outcomes_and_arrows_back_have_their_words() -> None:
    back, none = version(Arrow("t1", "A", "pago", "@previous")), version()
    both = version(Arrow("t1", "A", "pago", "B"), Arrow("t2", "A", "pago", "B"))

    assert told(none, back, "en") == [
        "In A, pago: before, it finds no arrow; now, it goes back to the state before (t1)"
    ]
    assert told(back, both) == [
        "Em A, pago: antes volta para o estado anterior (t1); agora duas setas disparam e nada acontece"
    ]


def test_silences_states_and_events_are_told_by_name() -> None:
    old, new = version(ladder=(HOUR, DAY)), version(ladder=(HOUR,), jitter=HOUR)
    third = a_flow([state("C", DAY), final("B")])

    assert told(old, new) == ["O prazo de silêncio de A era 1 h, 1 dia, agora é 1 h com espalhamento de até 1 h"]
    assert told(new, third, "en") == [
        "C is a new state",
        "A is gone",
        "Conversations began in A, now they begin in C",
    ]


def test_an_example_shows_when_it_is_and_no_sensitive_value() -> None:
    asked = "renda > 500000 && now() - last_inbound < 1h"
    (found,) = differences(compare(version(), version(Arrow("t1", "A", "pago", "B", asked))))

    assert found.witness is not None
    assert found.witness["renda"] == VEIL
    assert "a última mensagem foi há" in found.message
    assert "renda = '•••'" in found.message


def test_a_doubt_is_told_as_one() -> None:
    old, new = (version(Arrow("t1", "A", "pago", "B", when)) for when in ("toques * renda > 5", "renda * toques > 5"))

    assert told(old, new, "en") == ["In A, pago: it could not be proved that the same happens now as before"]


def test_other_shares_of_the_same_branches_are_one_sentence() -> None:
    def test(first: int, *, to: str = "B") -> Flow:
        return version(Arrow("t1", "A", "pago", "A", share=first), Arrow("t2", "A", "pago", to, share=100 - first))

    (found,) = differences(compare(test(50), test(60)))

    assert (found.where.state, found.where.event, found.where.transitions) == ("A", "pago", ("t1", "t2"))
    assert found.message == (
        "Em A, pago: as partes do teste A/B eram A 50 % (t1), B 50 % (t2); agora são A 60 % (t1), B 40 % (t2)"
    )
    assert sentence(found, "en") == (
        "In A, pago: the shares of the A/B test were A 50 % (t1), B 50 % (t2); now they are A 60 % (t1), B 40 % (t2)"
    )
    assert told(test(50), test(50)) == []


def test_a_test_that_begins_or_ends_says_for_whom_something_else_happens() -> None:
    plain = version(Arrow("t1", "A", "pago", "A"))
    split = version(Arrow("t1", "A", "pago", "A", share=70), Arrow("t2", "A", "pago", "B", share=30))

    assert told(plain, split) == ["Em A, pago: antes fica em A (t1); agora vai para B, com 30 % dos clientes (t2)"]
    assert told(split, plain, "en") == [
        "In A, pago: before, it goes to B, with 30 % of customers (t2); now, it stays in A (t1)"
    ]


def test_branches_that_change_places_are_told_though_their_shares_are_the_same() -> None:
    one = version(Arrow("t1", "A", "pago", "A", share=50), Arrow("t2", "A", "pago", "B", share=50))
    other = version(Arrow("t1", "A", "pago", "B", share=50), Arrow("t2", "A", "pago", "A", share=50))

    assert len(told(one, other)) == 2


def test_a_split_of_any_state_says_so() -> None:
    def test(first: int) -> Flow:
        return version(Arrow("g1", None, "pago", "A", share=first), Arrow("g2", None, "pago", "B", share=100 - first))

    (words,) = told(test(50), test(10), "en")

    assert words == (
        "From any state, pago: the shares of the A/B test were A 50 % (g1), B 50 % (g2); "
        "now they are A 10 % (g1), B 90 % (g2)"
    )
