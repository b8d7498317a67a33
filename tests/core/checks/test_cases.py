"""Which arrow fires when: every way of firing is among the cases that are told, and each case tells the truth."""

from hypothesis import given
from hypothesis import strategies as st

from engine.core.checks.cases import MOST, OTHER, cases, enabled
from engine.core.flow import Transition
from engine.core.guards.kinds import Declared, Kind
from engine.core.guards.language import parse_guard

SCOPE = {
    "toques": Declared(Kind.INT, min=0),
    "vip": Declared(Kind.BOOL),
    "nome": Declared(Kind.TEXT, optional=True),
    "plano": Declared(Kind.TEXT, values=("a", "b", "c")),
    "visto": Declared(Kind.TIMESTAMP),
}


def arrows(*conditions):
    return [
        Transition(
            id=f"t{number}",
            frm="A",
            on="msg",
            to="A",
            otherwise=text == "otherwise",
            when=None if text == "otherwise" else parse_guard(text, SCOPE),
        )
        for number, text in enumerate(conditions, start=1)
    ]


def told(*conditions):
    return [(list(case.values.values()), case.fires) for case in cases(arrows(*conditions), SCOPE) or ()]


def test_two_conditions_on_one_number_clash_at_their_border():
    found = cases(arrows("toques < 3", "toques >= 2"), SCOPE)

    assert [(case.values["toques"], case.fires) for case in found] == [
        (1, ("t1",)), (2, ("t1", "t2")), (3, ("t2",)),
    ]  # fmt: skip
    assert found[0].below and found[-1].onwards and not found[1].onwards


def test_a_gap_is_a_case_in_which_nothing_fires():
    assert ([2], ()) in told("toques < 2", "toques > 2")


def test_otherwise_fires_where_nothing_else_does():
    assert told("toques >= 2", "otherwise") == [([1], ("t2",)), ([2], ("t1",))]


def test_values_of_a_choice_are_all_there():
    assert told("plano == 'a'", "plano == 'b'") == [(["a"], ("t1",)), (["b"], ("t2",)), (["c"], ())]


def test_a_text_has_those_that_are_named_one_that_is_not_and_none():
    assert told("nome == 'Ana'", "otherwise") == [(["Ana"], ("t1",)), ([OTHER], ("t2",)), ([None], ("t2",))]


def test_several_fields_are_told_together_with_what_clashes_among_them():
    found = cases(arrows("toques < 3 && vip", "toques >= 2", "otherwise"), SCOPE)

    assert len(found) <= MOST
    assert {case.fires for case in found} == {("t1",), ("t1", "t2"), ("t2",), ("t3",)}


def test_what_no_short_table_could_tell_has_none():
    for text in ("visto < now()", "toques + 1 > 2", "size(nome) > 2"):
        assert cases(arrows(text, "otherwise"), SCOPE) is None
    assert cases(arrows("otherwise"), SCOPE) is None


TESTS = st.sampled_from(
    ["toques > 1", "toques <= 4", "vip", "!vip", "has(nome)", "nome == 'x'", "plano == 'b'", "plano in ['a', 'c']",
     "toques == 3 || vip", "!(toques < 2 && vip)"]
)  # fmt: skip


@given(st.lists(TESTS, min_size=1, max_size=3), st.booleans())
def test_each_case_says_what_the_interpreter_does(conditions, rest):
    group = arrows(*conditions, *(["otherwise"] if rest else []))
    found = cases(group, SCOPE)
    assert found is not None and 0 < len(found) <= MOST + 1
    for case in found:
        values = {name: value for name, value in case.values.items() if value is not None}
        assert case.fires == enabled(group, values)
