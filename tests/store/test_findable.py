"""The texts to search in keep step with what they copy, on both databases, and go with it."""

from sqlalchemy import text

from engine.core.inbound import Message, Person
from engine.store import board, contacts, findable, inbox, media, merging, migrations, outbox, sent, tags
from engine.store.board_filter import Filter
from engine.store.media import Fetching
from tests.store.people import NOW, a_contact, a_conversation, a_letter


def _message(provider_id="m1", words="Quero o BOLÉTO à vista", kind="text"):
    return Message(provider_id=provider_id, person=Person(), at=NOW, kind=kind, text=words)


async def _found(store, words):
    return {(t.kind, t.ref) for t in await store.read(lambda tx: findable.found(tx, words, 50))}


async def test_messages_letters_names_and_what_was_heard_are_found_by_any_part(store):
    def unit(tx):
        contact = a_contact(tx, name="Ênio Torquato")
        talk = a_conversation(tx).id
        said, spoken = inbox.store(
            tx, [inbox.Arrived(1, talk, contact, _message(), NOW), inbox.Arrived(1, talk, contact, _message("m2", None, "audio"), NOW)]
        )  # fmt: skip
        media.begin(tx, Fetching(spoken, 9, "waiting"), NOW)
        media.settle(tx, media.of_message(tx, spoken), {"transcript": "Pode ser no PIX?", "transcript_state": "done"})
        ours = outbox.put(tx, a_letter(payload={"text": "São 297 reais!"}), talk, contact, 1, NOW)
        return contact, said, spoken, ours

    contact, said, spoken, ours = await store.write("x", unit)

    assert await _found(store, "boleto VISTA") == {("in", said)}
    assert await _found(store, "olet") == {("in", said)}
    assert await _found(store, "enio torq") == {("name", contact)}
    assert await _found(store, "pix?") == {("heard", spoken)}
    assert await _found(store, "sao 297") == {("out", ours)}
    assert await _found(store, "100%") == await _found(store, "a_vista") == set()


async def test_a_message_that_came_twice_is_one_text(store):
    def unit(tx):
        talk = a_conversation(tx).id
        return [inbox.store(tx, [inbox.Arrived(1, talk, 1, _message(), NOW)]) for _ in range(2)]

    await store.write("x", unit)

    assert await store.read(lambda tx: tx.value("SELECT COUNT(*) FROM findable WHERE kind = 'in'")) == 1


async def test_what_is_reworded_or_taken_back_is_not_found_as_it_was(store):
    def unit(tx):
        talk = a_conversation(tx).id
        (said,) = inbox.store(tx, [inbox.Arrived(1, talk, 1, _message(words="azul"), NOW)])
        ours = outbox.put(tx, a_letter(payload={"text": "azul"}), talk, 1, 1, NOW)
        inbox.edit(tx, said, "verde", NOW + 2)
        inbox.edit(tx, said, "velho", NOW + 1)
        sent.reword(tx, ours, {"text": "roxo"})
        return said, ours

    said, ours = await store.write("x", unit)
    assert await _found(store, "azul") == await _found(store, "velho") == set()
    assert await _found(store, "verde") == {("in", said)}
    assert await _found(store, "roxo") == {("out", ours)}

    await store.write("x", lambda tx: inbox.delete(tx, said, NOW, NOW))
    assert await _found(store, "verde") == set()


async def test_of_two_contacts_that_are_one_everything_is_the_one_that_stays(store):
    def unit(tx):
        kept, gone = a_contact(tx), a_contact(tx, "5541900000001", name="Ana")
        inbox.store(tx, [inbox.Arrived(1, a_conversation(tx, "5541900000001").id, gone, _message(), NOW)])
        merging.absorb(tx, merging.locked(tx, kept, gone), NOW)
        return kept, gone

    kept, gone = await store.write("x", unit)

    assert await _found(store, "ana") == {("name", kept)}
    assert await store.read(lambda tx: tx.rows("SELECT id FROM findable WHERE contact_id = :id", id=gone)) == []
    await store.write("x", lambda tx: findable.forget(tx, kept))
    assert await store.read(lambda tx: tx.value("SELECT COUNT(*) FROM findable")) == 0


async def test_a_name_that_is_learnt_later_is_found(store):
    await store.write("x", a_contact)
    contact = await store.write("x", lambda tx: contacts.resolve(tx, Person(phone="5541987654321", name="Ivo"), NOW))

    assert await _found(store, "IVO") == {("name", contact.contact_id)}


async def test_the_first_of_each_column_and_how_many_there_are(store):
    def unit(tx):
        talks = [a_conversation(tx, f"554190000000{n}").id for n in range(5)]
        tx.run("UPDATE conversation SET attention = 'send_failed' WHERE id = :id", id=talks[4])
        tx.run("UPDATE conversation SET state = 'B' WHERE id = :id", id=talks[0])
        contacts.set_tags(tx, 2, ["vip"])
        return talks

    talks = await store.write("x", unit)

    def columns(tx, **chosen):
        return board.columns(tx, "flow", ["A", "B", "C"], 0, Filter(**chosen), 2)

    assert await store.read(columns) == {"A": ([talks[4], talks[1]], 4), "B": ([talks[0]], 1)}
    assert await store.read(lambda tx: columns(tx, tag="vip")) == {"A": ([talks[1]], 1)}
    assert await store.read(lambda tx: columns(tx, tag="VIP")) == {}
    assert await store.read(lambda tx: columns(tx, phones=("%0004%",), words="0004")) == {"A": ([talks[4]], 1)}
    assert await store.read(lambda tx: tags.in_use(tx, 9)) == ["vip"]


def test_what_was_there_before_is_found_after_the_migration(empty_database_url):
    migrations.upgrade(empty_database_url, "0015")
    engine = migrations.opened(empty_database_url)
    with engine.begin() as old:
        old.execute(text("INSERT INTO contact (id, name, tags, created_at) VALUES (1, 'Ênio', '[]', 0)"))
        old.execute(text("INSERT INTO inbound (id, channel_id, provider_id, conversation_id, contact_id, kind, text, media, marks, at,"
                         " received_at) VALUES (7, 1, 'm', 3, 1, 'text', 'BOLÉTO', '{}', '{}', 0, 0)"))  # fmt: skip
        old.execute(text("INSERT INTO outbox (id, conversation_id, contact_id, action, part, parts, cause, is_global, confirms_opt_out,"
                         " critical, state, payload, as_template, status, created_at, due_at, lease_until, attempt) VALUES (9, 3, 1,"
                         " 'a', 1, 1, 'message', false, false, false, 'A', '{\"text\":\"Olá\"}', false, 'sent', 0, 0, 0, 0)"))  # fmt: skip

    migrations.upgrade(empty_database_url)

    with engine.connect() as new:
        rows = new.execute(text("SELECT contact_id, conversation_id, kind, ref, text FROM findable ORDER BY id")).all()
    engine.dispose()
    assert [tuple(row) for row in rows] == [
        (1, None, "name", 1, "enio"),
        (1, 3, "in", 7, "boleto"),
        (1, 3, "out", 9, "ola"),
    ]
