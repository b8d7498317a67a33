import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.document import read
from engine.core.templating import money, parameter, placeholders, render
from tests.core.documents import small

FLOW = read(
    small(
        context={
            "toques": {"type": "int", "max": 3},
            "preco": {"type": "money"},
            "quando": {"type": "timestamp", "optional": True},
            "espera": {"type": "duration"},
            "vip": {"type": "bool"},
            "nota": {"type": "double"},
            "nome": {"type": "text"},
        }
    )
)


@pytest.mark.parametrize(
    ("template", "values", "text"),
    [
        ("Oi, {{contact.name|default:tudo bem}}!", {"contact.name": "Ana"}, "Oi, Ana!"),
        ("Oi, {{contact.name|default:tudo bem}}!", {}, "Oi, tudo bem!"),
        ('Oi, {{contact.name|default:"tudo bem"}}!', {"contact.name": ""}, "Oi, tudo bem!"),
        ("Oi {{contact.name}}!", {}, "Oi !"),
        ("{{ preco }}", {"preco": 123456}, "R$ 1.234,56"),
        ("{{preco}}", {"preco": 0}, "R$ 0,00"),
        ("{{quando}}", {"quando": 1_785_589_200_000}, "01/08 10:00"),
        ("{{last_inbound|default:nunca}}", {"last_inbound": 0}, "nunca"),
        ("{{espera}}", {"espera": 7_200_000}, "2 h"),
        ("{{vip}}", {"vip": True}, "sim"),
        ("{{nota}}", {"nota": 9.5}, "9,5"),
        ("{{toques}}", {"toques": 2}, "2"),
        ("{{contact.tags}}", {"contact.tags": ("vip", "frio")}, "vip, frio"),
        ("{{event.transacao}}", {"event.transacao": "HP1"}, "HP1"),
        ("{{7*7}} {% raw %} ${x} {{a.b.c}} {{}} {{ }} {toques}", {"toques": 1}, None),
        ("{{nome|upper}}", {"nome": "x"}, None),
    ],
)
def test_gaps_are_filled(template, values, text):
    assert render(FLOW, template, values) == (template if text is None else text)


def test_a_value_is_data_and_never_rendered_again():
    """SEC-S18."""
    said = "{{nome}} {{7*7}} </script> ${x}\n\\n"

    assert render(FLOW, "Você disse: {{event.text}}", {"event.text": said, "nome": "segredo"}) == f"Você disse: {said}"


def test_placeholders_are_listed_once():
    assert placeholders("{{a}} {{b.c|default:x}} {{a}} {{7}}") == ("a", "b.c")


def test_money_has_a_sign_and_thousands():
    assert money(-123456789) == "-R$ 1.234.567,89"


def test_a_template_parameter_has_no_breaks_nor_long_blanks():
    assert parameter("a\n\tb      c    d ") == "a b c    d"


VALUES = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.lists(st.text(), max_size=3).map(tuple)
)


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(["{{", "}}", "nome", "preco", "quando", "|default:", "{", "%", " ", "é", "."]), max_size=12
    ),
    st.dictionaries(st.sampled_from(["nome", "preco", "quando", "espera", "toques"]), VALUES),
)
def test_no_template_and_no_value_make_it_raise(pieces, values):
    assert isinstance(render(FLOW, "".join(pieces), values), str)


@settings(deadline=None)
@given(st.text())
def test_braces_in_values_survive(text):
    assert render(FLOW, "[{{nome}}]", {"nome": text}) == f"[{text}]"
