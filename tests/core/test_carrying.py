"""A state is taken into another flow with what it needs; what cannot come along is told."""

import pytest

from engine.core.carrying import LeftOut, Renamed, parcel, unpacked
from engine.core.document import read
from engine.core.errors import NotFound
from engine.samples import tree as sample
from tests.core.documents import small


def packed(tree, *names):
    return parcel(tree, read(tree), names)


def into(tree, bundle):
    return unpacked(tree, read(tree), bundle)


def other(**changes):
    """Another flow, with a general event of another name."""
    made = small(
        slug="outro", initial="A", events={"qualquer": {"source": "message"}}, understanding=None, globals=None,
        ignore=None, context=None, actions=None, states={"A": {"deadline": "1d"}, "PAGO": {"kind": "final"}},
        transitions=[{"id": "t1", "from": "A", "on": "timeout", "to": "PAGO"}],
    )  # fmt: skip
    return {**made, **changes}


def test_a_state_comes_with_its_arrows_actions_events_fields_and_phrases():
    tree = small()
    tree["transitions"][0] |= {"on": "preco", "when": "toques < 2"}

    made = into(other(), packed(tree, "NOVO"))

    assert made.states == ("NOVO",)
    assert made.left_out == (LeftOut("NOVO", "preco", "FALANDO"),)
    made = into(other(states=other()["states"] | {"FALANDO": {"deadline": "1d"}}), packed(tree, "NOVO"))
    flow = read(made.tree)
    arrow = flow.arrows["t2"]
    assert (arrow.frm, arrow.on, arrow.to, arrow.do) == ("NOVO", "preco", "FALANDO", ("oi",))
    assert set(flow.context) == {"toques"}
    assert flow.events["preco"].falls_back_to == "qualquer", "the general event is the other flow's own"
    assert [rule.event for rule in flow.understanding] == ["preco"]
    assert Renamed("event", "msg", "qualquer") in made.renamed
    assert made.left_out == ()


def test_what_is_there_alike_is_kept_and_what_is_there_otherwise_gets_another_name():
    tree = small()
    there = other(
        actions={"oi": {"kind": "send", "text": "Olá, sou outro"}},
        context=tree["context"],
        states=other()["states"] | {"FALANDO": {"deadline": "1d"}},
    )

    made = into(there, packed(tree, "NOVO", "FALANDO"))

    flow = read(made.tree)
    assert made.states == ("NOVO", "FALANDO_2")
    assert set(made.renamed) == {
        Renamed("event", "msg", "qualquer"), Renamed("action", "oi", "oi_2"), Renamed("state", "FALANDO", "FALANDO_2"),
    }  # fmt: skip
    assert made.same == ("toques",)
    assert [(a.frm, a.to, a.do) for a in flow.transitions if a.frm == "NOVO"] == [("NOVO", "FALANDO_2", ("oi_2",))]
    assert made.tree["actions"]["oi"] == there["actions"]["oi"]
    assert made.tree["actions"]["oi_2"] == tree["actions"]["oi"]


def test_a_second_paste_uses_what_the_first_one_brought():
    there = other(
        context={"toques": {"type": "bool"}}, actions={"oi": {"kind": "send", "text": "Outro"}},
        states=other()["states"] | {"NOVO": {"deadline": "1d"}, "FALANDO": {"deadline": "1d"}},
    )  # fmt: skip
    tree = small()
    tree["transitions"][0] |= {"when": "toques < 2"}

    once = into(there, packed(tree, "NOVO"))
    twice = into(once.tree, packed(tree, "NOVO"))

    assert once.states + twice.states == ("NOVO_2", "NOVO_3")
    assert set(read(twice.tree).context) == {"toques", "toques_2"}
    assert set(read(twice.tree).actions) == {"oi", "oi_2"}


def test_within_its_own_flow_a_copy_stands_beside_the_first_and_shares_all_else():
    tree = small()

    made = into(tree, packed(tree, "FALANDO"))

    flow = read(made.tree)
    assert made.states == ("FALANDO_2",)
    assert {a.to for a in flow.transitions if a.frm == "FALANDO_2"} == {"FALANDO_2", "PAGO"}
    assert set(flow.events) == set(read(tree).events)
    assert made.tree["understanding"] == tree["understanding"]


@pytest.mark.parametrize("name", list(sample("venda")["states"]))
def test_every_state_of_the_sample_can_be_taken_into_another_flow(name):
    tree = sample("venda")

    made = into(other(), packed(tree, name))

    flow = read(made.tree)
    assert set(made.states) <= set(flow.states)
    carried = sum(a.frm in made.states for a in flow.transitions)
    assert carried + len(made.left_out) == sum(a.frm == name for a in read(tree).transitions)


def test_of_a_split_that_comes_in_part_the_branches_that_come_share_all():
    tree = small()
    first = tree["transitions"][0]
    shares = {"t1": ("FALANDO", 20), "t8": ("FALANDO", 30), "t9": ("PAGO", 50)}
    twins = [{**first, "id": name, "to": to, "share": share} for name, (to, share) in shares.items()]
    tree["transitions"] = [*twins, *tree["transitions"][1:]]

    whole = into(other(states=other()["states"] | {"FALANDO": {"deadline": "1d"}}), packed(tree, "NOVO"))
    assert sorted(t.share for t in read(whole.tree).arrows.values() if t.share) == [20, 30, 50]

    part = into(other(), packed(tree, "NOVO"))
    assert [row.to for row in part.left_out] == ["FALANDO", "FALANDO"]
    (alone,) = (t for t in read(part.tree).arrows.values() if t.frm == "NOVO")
    assert alone.share is None

    without_end = {"states": {"A": {"deadline": "1d"}, "FALANDO": {"deadline": "1d"}}, "transitions": []}
    pair = into(other(**without_end), packed(tree, "NOVO"))
    kept = [row.get("share") for row in pair.tree["transitions"] if row["from"] == "NOVO"]
    assert kept == [40, 60]


def test_a_state_that_is_not_there_is_not_copied():
    with pytest.raises(NotFound):
        packed(small(), "LUA")
