"""A file of people: any bytes become rows or reasons, and Brazilian telephones are read in every shape."""

from datetime import UTC, datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.core import contact_table
from engine.core.cells import safe, table
from engine.core.contact_dates import moment
from engine.core.contact_table import COLUMNS, columns_of, decoded, people, rows

NOW = round(datetime(2026, 5, 10, 15, tzinfo=UTC).timestamp() * 1000)
ZONE = "America/Sao_Paulo"


def read(text, **chosen):
    return people(text, NOW, ZONE, chosen or None)


def troubles(text):
    return [(t.line, t.reason) for t in read(text).troubles]


@given(st.binary(max_size=600))
@example(b'phone;name\n"5511')
@example(b"\xff\xfep\x00h")
@example("telefone\r11 91234-5678\r".encode("utf-16"))
def test_any_bytes_become_rows_or_reasons(raw):
    text = decoded(raw)
    reading = read(text)

    lines = [line for line, _ in rows(text)]
    assert lines == sorted(lines)
    if "phone" in reading.columns:
        told = [p.line for p in reading.people] + [t.line for t in reading.troubles]
        assert len(told) == max(len(lines) - 1, 0), "every line is a person or has a reason"
    else:
        assert [t.reason for t in reading.troubles] == ["no_phone_column"]


CELL = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00\n\r"), max_size=20)


@given(st.lists(st.tuples(st.sampled_from(["11 91234-5678", "+55 (21) 2345-6789", "abc", ""]), CELL, CELL), max_size=8))
def test_what_a_spreadsheet_writes_is_read_cell_by_cell_and_written_again_without_formulas(lines):
    text = table(("telefone", "nome", "consentimento"), lines)
    reading = read(decoded(text.encode()))

    assert set(reading.columns) == {"phone", "name", "optin_proof"}
    named = [line for line in lines if "".join(line).strip()]
    assert len(reading.people) + len(reading.troubles) == len([n for n in named if any(safe(c).strip() for c in n)])
    for _, cells in rows(text):
        assert not any(cell.startswith(("=", "+", "@")) for cell in cells)


@pytest.mark.parametrize(
    "spelled",
    ["11912345678", "+55 11 91234-5678", "(11) 91234-5678", "011 91234 5678", "5511912345678",
     "1191234.5678", "0055 11 91234-5678", "11 91234/5678", "'+5511912345678"],
)  # fmt: skip
def test_a_brazilian_number_is_one_number_in_every_shape(spelled):
    assert [p.phone for p in read(f"phone\n{spelled}\n").people] == ["5511912345678"]


def test_an_old_mobile_gets_its_ninth_digit_and_a_landline_does_not():
    reading = read("phone\n11 8123-4567\n11 3123-4567\n+1 415 555 0100\n")
    assert [p.phone for p in reading.people] == ["5511981234567", "551131234567", "14155550100"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (";Ana;;;;", "no_phone"),
        ("12345;Ana;;;;", "phone_unreadable"),
        ("5.511E+12;Ana;;;;", "phone_unreadable"),
        ("0800 123 4567;Ana;;;;", "phone_unreadable"),
        ("55 10 91234-5678;Ana;;;;", "phone_unreadable"),
        ("11912345678 11912345679;Ana;;;;", "phone_unreadable"),
        ("11912345678;Ana;ana(arroba)loja;;;", "email_unreadable"),
        ("11912345678;Ana;;;31/02/2026;", "date_unreadable"),
        ("11912345678;Ana;;;05/10/2026;", "date_in_future"),
        (f"11912345678;{'a' * 600};;;;", "cell_too_long"),
        (f"11912345678;Ana;;{','.join(map(str, range(30)))};;", "too_many_tags"),
    ],
)
def test_every_bad_line_says_why(line, reason):
    text = f"phone;name;email;tags;optin_at;optin_proof\n11900000001;Bia;;;;\n{line}\n"
    reading = read(text)
    assert [(t.line, t.reason) for t in reading.troubles] == [(3, reason)]
    assert [p.name for p in reading.people] == ["Bia"]


def test_heads_are_known_by_portuguese_words_and_may_be_told_otherwise():
    assert columns_of(["Nome", "WhatsApp", "E-mail", "Etiquetas", "Data do consentimento", "Origem"]) == {
        "name": 0, "phone": 1, "email": 2, "tags": 3, "optin_at": 4, "optin_proof": 5,
    }  # fmt: skip
    reading = people("a,b\n11912345678,Ana\n", NOW, ZONE, {"phone": 0, "name": 1, "email": 77})
    assert [(p.phone, p.name) for p in reading.people] == [("5511912345678", "Ana")]
    assert set(reading.columns) <= set(COLUMNS)


def test_all_that_a_line_says_is_kept():
    text = "phone,name,email,tags,optin_at,optin_proof\n11912345678,Ána,ANA@Loja.com,vip|maio,03/02/2026 10:30,formulário\n"
    [ana] = read(text).people
    assert (ana.name, ana.email, ana.tags, ana.words) == ("Ána", "ana@loja.com", ("vip", "maio"), "formulário")
    assert ana.optin_at == round(datetime(2026, 2, 3, 13, 30, tzinfo=UTC).timestamp() * 1000)


def test_a_number_that_stands_twice_is_one_person_and_the_second_line_is_told():
    reading = read("phone;name;tags\n11 91234-5678;;a\n+55 11 91234 5678;Ana;b\n")
    assert [(p.name, p.tags) for p in reading.people] == [("Ana", ("a", "b"))]
    assert [(t.line, t.reason) for t in reading.troubles] == [(3, "twice_in_file")]


def test_a_file_in_latin_1_or_with_a_mark_keeps_its_accents():
    text = "telefone;nome\n11912345678;João\n"
    for raw in (text.encode("cp1252"), text.encode("utf-8-sig"), text.encode("utf-16"), text.encode()):
        assert [p.name for p in read(decoded(raw)).people] == ["João"]


def test_too_many_lines_are_left_and_that_is_said(monkeypatch):
    monkeypatch.setattr(contact_table, "MOST_ROWS", 3)
    text = "phone\n" + "".join(f"1191234567{n}\n" for n in range(6))
    reading = read(text)
    assert (len(reading.people), [(t.line, t.reason) for t in reading.troubles]) == (3, [(5, "too_many_rows")])


@given(st.text(max_size=30))
def test_any_text_is_a_moment_or_none(text):
    at = moment(text, ZONE)
    assert at is None or at > 0


@given(CELL)
def test_no_cell_begins_a_formula(cell):
    assert not safe(cell).lstrip(" ").startswith(("=", "+", "-", "@", "\t"))
