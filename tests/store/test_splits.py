"""What became of the branches of a split, from the rows of the log: who counts, when, and for what."""

from engine.store import journal, splits
from engine.store.journal import About, Record
from engine.store.splits import Taken, taken
from tests.store.people import NOW, a_conversation

ANA, BIA = "5541987654321", "5541987654322"


def moved(tx, conversation, arrow, to, *, version=1, reason=splits.SPLIT, frm="A"):
    entry = Record(
        outcome="transition", reason=reason, frm=frm, to=to, facts={"transition": arrow, "flow_version": version}
    )
    about = About(conversation_id=conversation.id, contact_id=conversation.contact_id)
    journal.record(tx, NOW, about, entry)


async def told(store, *rows, versions=(1,), won=("PAGO", "LEVOU"), flow="flow", frm="A", arrows=("t1", "t2")):
    """The figures after rows of (phone, arrow, target, more)."""

    def unit(tx):
        people = {}
        for phone, arrow, to, more in rows:
            people[phone] = people.get(phone) or a_conversation(tx, phone)
            moved(tx, people[phone], arrow, to, **more)

    await store.write("x", unit)
    return await store.read(lambda tx: taken(tx, flow, frm, arrows, versions, won))


async def test_a_sale_counts_for_the_branch_that_came_before_it_in_the_same_cycle(store):
    assert await told(
        store,
        (ANA, "g9", "PAGO", {"reason": None}),
        (ANA, "t1", "B", {}),
        (BIA, "t2", "B", {}),
        (BIA, "g9", "PAGO", {"reason": None}),
    ) == {"t1": Taken(1, 0), "t2": Taken(1, 1)}


async def test_a_branch_that_leads_to_the_sale_itself_has_sold(store):
    assert await told(store, (ANA, "t1", "LEVOU", {})) == {"t1": Taken(1, 1)}


async def test_a_contact_counts_once_however_often_they_came_by(store):
    rows = [(ANA, "t1", "B", {}), (ANA, "g9", "PAGO", {"reason": None}), (ANA, "t1", "B", {})]

    assert await told(store, *rows) == {"t1": Taken(1, 1)}


async def test_other_versions_arrows_states_and_flows_do_not_count(store):
    rows = [
        (ANA, "t1", "B", {"version": 3}),
        (BIA, "t9", "B", {}),
        ("5541987654323", "t2", "B", {"frm": "C"}),
        ("5541987654324", "t2", "B", {"reason": None}),
    ]

    assert await told(store, *rows) == {}
    assert await told(store, versions=(2, 3)) == {"t1": Taken(1, 0)}
    assert await told(store, frm=None) == {"t2": Taken(1, 0)}
    assert await told(store, versions=(2, 3), flow="other") == {}
    assert await told(store, versions=(3,), won=()) == {"t1": Taken(1, 0)}


async def test_two_contacts_who_became_one_count_as_one(store):
    rows = [(ANA, "t1", "B", {}), (BIA, "t1", "B", {})]
    assert await told(store, *rows) == {"t1": Taken(2, 0)}
    same = "UPDATE conversation SET contact_id = (SELECT MIN(contact_id) FROM conversation)"
    await store.write("x", lambda tx: tx.run(same))

    assert await told(store) == {"t1": Taken(1, 0)}
