"""Whom names belong to (R70), and their consent (R73)."""

import pytest

from engine.core.inbound import Person
from engine.store import contacts
from tests.store.people import NOW, a_contact

NEW, OLD = "5541987654321", "554187654321"


async def test_both_spellings_find_the_contact_and_the_match_says_which_was_written(store):
    def unit(tx):
        made = contacts.resolve(tx, Person(phone=OLD), NOW)
        again = contacts.resolve(tx, Person(phone=NEW), NOW)
        return made, again, contacts.find(tx, OLD), contacts.find(tx, f"+{NEW}")

    made, again, old, new = await store.write("x", unit)
    assert made.created and not again.created
    assert made.contact_id == again.contact_id == old == new
    assert (made.matched_by, again.matched_by is not None) == (None, True)


async def test_new_names_of_a_known_contact_are_linked_to_it(store):
    def unit(tx):
        known = a_contact(tx, NEW)
        linked = contacts.resolve(tx, Person(phone=NEW, lid="9@lid", bsuid="BR.1"), NOW)
        return known, linked, contacts.find(tx, "9@lid"), contacts.known(tx, Person(bsuid="BR.1"))

    known, linked, by_lid, by_bsuid = await store.write("x", unit)
    assert {known, linked.contact_id, by_lid, by_bsuid} == {known}
    assert sorted(linked.linked) == [("bsuid", "BR.1"), ("lid", "9@lid")]


async def test_names_of_two_contacts_are_told_and_nobody_is_merged(store):
    def unit(tx):
        one, two = a_contact(tx, NEW), contacts.resolve(tx, Person(lid="9@lid"), NOW).contact_id
        return one, two, contacts.resolve(tx, Person(phone=NEW, lid="9@lid"), NOW)

    one, two, found = await store.write("x", unit)
    assert (found.contact_id, found.others) == (one, (two,))


async def test_a_quoted_message_says_who_it_is_only_when_no_name_does(store):
    def unit(tx):
        one, two = a_contact(tx, NEW), a_contact(tx, "5541900000002")
        unknown = contacts.resolve(tx, Person(lid="9@lid"), NOW, known=one)
        named = contacts.resolve(tx, Person(phone="5541900000002"), NOW, known=one)
        return one, two, unknown, named

    one, two, unknown, named = await store.write("x", unit)
    assert (unknown.contact_id, named.contact_id) == (one, two)


async def test_nobody_is_made_of_a_tracking_code_alone(store):
    def unit(tx):
        nobody = contacts.resolve(tx, Person(reference="src-1"), NOW)
        contact_id = a_contact(tx, NEW)
        contacts.track(tx, contact_id, "src-1", NOW)
        return nobody, contact_id, contacts.resolve(tx, Person(reference="src-1", phone="5541900000002"), NOW)

    nobody, contact_id, found = await store.write("x", unit)
    assert nobody is None
    assert found.contact_id == contact_id, "the strongest name wins"
    assert await store.read(lambda tx: contacts.owners(tx, Person(phone="5541900000002"))) == [contact_id]


async def test_what_is_known_about_a_person_is_filled_and_never_overwritten(store):
    def unit(tx):
        contact_id = a_contact(tx, NEW)
        contacts.resolve(tx, Person(phone=NEW, name="Ana", email="a@x.example"), NOW)
        contacts.resolve(tx, Person(phone=NEW, name="Outra", email="b@x.example"), NOW)
        return contacts.row(tx, contact_id)

    row = await store.write("x", unit)
    assert (row["name"], row["email"], row["phone"]) == ("Ana", "a@x.example", NEW)


async def test_a_contact_that_is_not_there_is_an_error(store):
    with pytest.raises(LookupError):
        await store.read(lambda tx: contacts.row(tx, 99))


async def test_opt_out_and_tags_are_kept_with_the_person(store):
    def unit(tx):
        contact_id = a_contact(tx)
        contacts.set_opt_out(tx, contact_id, NOW)
        contacts.set_tags(tx, contact_id, ["b", "a"])
        before = dict(contacts.row(tx, contact_id))
        contacts.set_opt_out(tx, contact_id, None)
        return before, contacts.row(tx, contact_id)

    before, after = await store.write("x", unit)
    assert (before["opt_out_at"], before["tags"], after["opt_out_at"]) == (NOW, '["b","a"]', None)
