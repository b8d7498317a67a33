"""A rename changes names only: everything that named it follows, and nothing else."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core import edits
from engine.core.canonical import canonical
from engine.core.checks.run import check
from engine.core.document import read
from engine.core.edits_uses import Use, uses
from engine.core.errors import Refused
from engine.samples import tree as sample
from tests.core.documents import small

SECTION = {"state": "states", "event": "events", "action": "actions", "field": "context"}
NAMES = [(kind, name) for kind, section in SECTION.items() for name in sample("venda")[section] if name != "timeout"]


def rename(tree, kind, name, to):
    return edits.apply(tree, {"op": f"rename_{kind}", "id": name, "name": to})


def rich():
    """A document in which everything names everything."""
    return small(
        context={"toques": {"type": "int", "default": 0, "min": 0, "max": 3}, "nome": {"type": "text"}},
        actions={
            "oi": {"kind": "send", "text": {"pt-BR": "Oi {{nome|default:você}} {{ toques }}", "en": "{{contact.name}}"},
                   "buttons": [{"id": "preco", "title": "{{toques}}"}]},
            "liga": {"kind": "call", "url": "https://x.test/{{nome}}", "once_per": "{{nome}}", "on_ok": "feito",
                     "undo": "oi"},
            "molde": {"kind": "send", "template": {"name": "m", "language": "pt_BR", "params": ["{{nome}}"],
                                                   "buttons": [{"payload": "preco"}]}},
        },
        events=small()["events"] | {"feito": {"source": "effect"}},
        understanding=[{"event": "preco", "any": ["toques"], "buttons": ["preco"]}],
        transitions=[
            {"id": "t1", "from": "NOVO", "on": "msg", "to": "FALANDO", "do": ["oi", "liga", "molde"],
             "set": {"toques": "toques + 1", "nome": "'toques'"}},
            {"id": "t2", "from": "FALANDO", "on": "timeout", "when": "toques < 3 && nome != 'toques'", "to": "FALANDO"},
            {"id": "t3", "from": "FALANDO", "on": "timeout", "when": "otherwise", "to": "PAGO"},
        ],
        rules=[{"never": {"do": "oi"}, "after": {"state": "PAGO"}}, {"always": "preco", "leads_to": ["PAGO"]}],
    )  # fmt: skip


@given(st.sampled_from([(k, n) for k, s in SECTION.items() for n in rich()[s]]), st.sampled_from(["outro", "Z9"]))
@settings(deadline=None)
def test_renaming_back_gives_the_same_document_and_between_it_is_one(named, to):
    kind, name = named
    before = rich()
    read(before)

    after = rename(before, kind, name, to)

    read(after)
    assert canonical(rename(after, kind, to, name)) == canonical(before)
    assert not uses(after, kind, name), "nobody says the old name any more"
    assert len(uses(after, kind, to)) == len(uses(before, kind, name))


@pytest.mark.parametrize(("kind", "name"), NAMES[::7])
def test_the_checks_find_the_same_but_for_the_name(kind, name):
    """The sample has findings of its own and is proved whole; codes and places must not depend on a name."""
    tree = sample("venda")
    if kind == "event":
        tree["transitions"] = [row for row in tree["transitions"] if row["on"] != name] or tree["transitions"]
    other = f"{name}_x"

    def found(tree):
        return sorted(
            (f.code, f.severity, sorted(f.transitions), sorted(s.replace(other, name) for s in f.states))
            for f in check(read(tree))
        )

    assert found(rename(tree, kind, name, other)) == found(tree)


def test_a_field_is_renamed_in_conditions_notes_and_texts_and_not_in_quoted_words():
    after = rename(rich(), "field", "toques", "vezes")

    t1, t2, _ = after["transitions"]
    assert t1["set"] == {"vezes": "vezes + 1", "nome": "'toques'"}
    assert t2["when"] == "vezes < 3 && nome != 'toques'"
    assert after["actions"]["oi"]["text"]["pt-BR"] == "Oi {{nome|default:você}} {{ vezes }}"
    assert after["understanding"] == rich()["understanding"]


def test_a_button_that_means_an_event_follows_it_wherever_it_is_named():
    after = rename(rich(), "event", "preco", "valor")

    assert after["understanding"][0]["buttons"] == ["valor"]
    assert after["actions"]["oi"]["buttons"][0]["id"] == "valor"
    assert after["actions"]["molde"]["template"]["buttons"] == [{"payload": "valor"}]


@pytest.mark.parametrize(
    ("kind", "name", "to", "code"),
    [
        ("state", "NOVO", "PAGO", "name_taken"),
        ("action", "oi", "liga", "name_taken"),
        ("event", "msg", "preco", "name_taken"),
        ("field", "toques", "nome", "name_taken"),
        ("field", "toques", "com espaço", "bad_name"),
        ("event", "msg", "timeout", "clock_name"),
    ],
)
def test_a_name_that_is_taken_or_none_is_refused(kind, name, to, code):
    with pytest.raises(Refused, match=code):
        rename(rich(), kind, name, to)


def test_an_event_does_not_take_the_id_of_a_button_that_means_nothing_yet():
    tree = rich()
    tree["actions"]["oi"]["buttons"].append({"id": "sim", "title": "Sim"})

    with pytest.raises(Refused, match="name_of_button"):
        rename(tree, "event", "msg", "sim")


def test_where_a_name_is_used_is_told_entry_by_entry():
    assert uses(rich(), "field", "toques") == (
        Use("actions", "oi"), Use("transitions", "t1"), Use("transitions", "t2"),
    )  # fmt: skip
    assert uses(rich(), "action", "oi") == (Use("actions", "liga"), Use("rules", "0"), Use("transitions", "t1"))
    assert Use("initial", "NOVO") in uses(rich(), "state", "NOVO")


def test_a_field_that_is_used_is_not_deleted_and_one_that_is_not_is():
    with pytest.raises(Refused, match="field_used"):
        edits.delete_field(rich(), "toques")
    tree = edits.add_entry(rich(), "context", "vip", {"type": "bool"})
    assert "vip" not in edits.delete_field(tree, "vip")["context"]
