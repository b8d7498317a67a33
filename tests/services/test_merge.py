"""Two contacts become one: histories, consents, pauses and cycles of both, and logs that stay verifiable (R45, R70, R74)."""

import asyncio
from itertools import permutations

import pytest

from engine.core.flow import HOUR, MINUTE
from engine.core.inbound import Echo, Message, NumberChange, Payment, Person
from engine.core.permissions import Actor
from engine.services import advance, supervise, sweep
from engine.services.doctor import examine
from engine.services.doctor_chains import verify
from engine.services.intake import Arrival
from engine.services.merge import merge
from engine.services.take import take
from engine.store import collisions, contacts, conversations, holds, pauses
from tests.services.shop import ANA, BIA, enveloped

DORA = Actor("dora@loja.example")
USER = "BR.1"


def from_user(shop, words, *, phone=None, named):
    """A message of somebody whom the platform calls by a business-scoped id, with or without a phone."""
    message = {
        "id": named, "from_user_id": USER, "timestamp": str(shop.clock.now() // 1000), "type": "text",
        "text": {"body": words}, **({"from": phone} if phone else {}),
    }  # fmt: skip
    return enveloped({"messages": [message]})


async def merged(shop, one, other):
    def unit(tx):
        pair = contacts.find(tx, one), contacts.find(tx, other)
        return merge(tx, shop.runtime.flows, shop.clock.now(), *pair, DORA, "message", {})

    return await shop.runtime.store.write("x", unit)


async def sound(shop):
    """Nothing that the doctor looks at is broken, and both chains are whole."""
    verdicts = await examine(shop.runtime.store, shop.clock.now())
    assert {verdict.invariant: verdict.rows for verdict in verdicts if not verdict.holds} == {}
    assert (await verify(shop.runtime.store)).broken is None


async def cycles(shop):
    return await shop.rows("SELECT id, state, followed_by, contact_id, deadline_at FROM conversation ORDER BY id")


async def quiet_for_long(shop, conversation_id):
    """Nothing was said in a talk since the beginning of time."""
    sql = "UPDATE conversation SET active_at = 0 WHERE id = :id"
    await shop.runtime.store.write("x", lambda tx: tx.run(sql, id=conversation_id))


async def two_histories(shop):
    """Somebody known by a phone and, apart, by an id: both have talked. The ids of the two talks."""
    await shop.talks(ANA, "oi", "quanto custa?")
    assert await shop.posts(from_user(shop, "oi", named="wamid.U1")) == 200
    await shop.after(5_000)
    shop.clock.advance(MINUTE)
    return [row["id"] for row in await cycles(shop)]


async def test_a_message_with_both_names_merges_who_is_nothing_but_one_of_them_and_keeps_both_histories(shop):
    await two_histories(shop)
    assert len(await shop.rows("SELECT id FROM contact")) == 2
    assert await shop.posts(from_user(shop, "ainda quero", phone=ANA, named="wamid.U2")) == 200
    await shop.after(5_000)
    person = await shop.person()
    assert {row["contact_id"] for row in await cycles(shop)} == {person["id"]}
    assert {row["contact_id"] for row in await shop.rows("SELECT contact_id FROM inbound")} == {person["id"]}
    assert len(await shop.rows("SELECT id FROM inbound")) == 4
    assert ("identity_linked", "merged") in await shop.outcomes()
    [entry] = await shop.rows("SELECT who, subject FROM audit WHERE what = 'contact.merged'")
    assert entry == {"who": "system", "subject": str(person["id"])}
    await sound(shop)


async def test_of_two_talks_in_one_flow_the_newest_goes_on_and_answers_what_the_other_had_not_read(shop):
    await two_histories(shop)
    await shop.writes(ANA, "e o pix?")
    await merged(shop, ANA, USER)
    old, new = await cycles(shop)
    assert (old["followed_by"], new["followed_by"]) == (None, old["id"]), (
        "the phone's talk is newer: a message waits in it"
    )
    assert new["deadline_at"] is None
    await shop.after(5_000)
    assert [row["outcome"] for row in await shop.rows("SELECT outcome FROM inbound WHERE text = 'e o pix?'")] == [
        "batched"
    ]
    assert await shop.rows("SELECT id FROM event WHERE conversation_id = :id AND source = 'clock'", id=new["id"]) == []
    await shop.after(30 * HOUR)
    assert await shop.rows("SELECT id FROM event WHERE conversation_id = :id AND source = 'clock'", id=new["id"]) == []
    await sound(shop)


async def test_what_waited_in_the_talk_that_ends_is_read_in_the_one_that_goes_on(shop):
    await two_histories(shop)
    assert await shop.posts(from_user(shop, "quero comprar", named="wamid.U9")) == 200
    shop.clock.advance(1_000)
    await shop.writes(ANA, "oi?")
    await merged(shop, ANA, USER)
    await shop.after(5_000)
    goes_on = (await shop.conversation()).id
    rows = await shop.rows("SELECT conversation_id, event_id FROM inbound ORDER BY id DESC LIMIT 2")
    assert {row["conversation_id"] for row in rows} == {goes_on}
    assert len({row["event_id"] for row in rows}) == 1, "one burst, one answer"
    found = await shop.rows("SELECT conversation_id FROM findable WHERE kind = 'in' ORDER BY ref DESC LIMIT 2")
    assert {row["conversation_id"] for row in found} == {goes_on}
    await sound(shop)


@pytest.mark.parametrize("payer", [ANA, USER])
async def test_what_was_bought_is_never_lost(shop, payer):
    """PAGO goes on, however new the other talk is, and a payment on its way finds it."""
    await two_histories(shop)
    number = await shop.runtime.store.read(lambda tx: conversations.latest_id(tx, contacts.find(tx, payer)))
    await shop.runtime.store.write("x", lambda tx: tx.run(
        "UPDATE contact SET phone = :phone WHERE id = :id", id=contacts.find(tx, USER), phone="5541988887777"))  # fmt: skip
    if payer == USER:
        await shop.runtime.store.write(
            "x", lambda tx: contacts.follow(tx, contacts.find(tx, USER), Person(phone="5541988887777"), 0)
        )
    await shop.pays(ANA if payer == ANA else "5541988887777")
    await shop.works()
    for phone in (ANA, "5541988887777"):
        await shop.writes(phone, "oi")
    await shop.after(5_000)
    await merged(shop, ANA, USER)
    assert await shop.state() == "PAGO"
    assert (await shop.conversation()).id == number
    await shop.after(2 * HOUR)
    assert await shop.state() == "PAGO"
    await sound(shop)


async def test_a_payment_that_waits_in_the_talk_that_ends_is_decided_in_the_one_that_goes_on(shop):
    first, second = await two_histories(shop)
    await shop.pays(ANA)
    shop.clock.advance(1_000)
    await quiet_for_long(shop, first)
    await merged(shop, ANA, USER)
    assert [row["followed_by"] for row in await cycles(shop)] == [second, None]
    await shop.works()
    assert await shop.state() == "PAGO"
    assert [letter.action for letter in await shop.letters()].count("entregar_acesso") == 1
    await sound(shop)


async def test_letters_of_the_talk_that_ended_do_not_leave_any_more(shop):
    first, second = await two_histories(shop)
    await supervise.pause(shop.runtime, first, HOUR, DORA)
    await shop.writes(ANA, "quero comprar")
    await shop.after(5_000)
    await quiet_for_long(shop, first)
    await merged(shop, ANA, USER)
    await supervise.give_back(shop.runtime, second, DORA, send_held=True)
    await shop.works()
    [letter] = [letter for letter in await shop.letters() if letter.action == "mandar_link"]
    assert (letter.status, letter.reason) == ("suppressed", "followed")
    await sound(shop)


@pytest.mark.parametrize("asks", [ANA, USER])
async def test_the_stricter_consent_holds_whoever_asked(shop, asks):
    """R73."""
    await two_histories(shop)
    if asks == ANA:
        await shop.writes(ANA, "não quero mais receber mensagens")
    else:
        await shop.posts(from_user(shop, "não quero mais receber mensagens", named="wamid.U5"))
    await shop.after(5_000)
    await merged(shop, ANA, USER)
    assert (await shop.person())["opt_out_at"] is not None
    assert await shop.state() == "OPT_OUT"
    await sound(shop)


@pytest.mark.parametrize(("ana", "user"), [(HOUR, 2 * HOUR), (2 * HOUR, HOUR), (None, HOUR), (HOUR, None)])
async def test_the_longer_pause_holds_and_each_silence_stands_still_as_long_as_it_was_paused(shop, ana, user):
    """R15, R74."""
    _, second = await two_histories(shop)
    ids = await shop.runtime.store.read(lambda tx: (contacts.find(tx, ANA), contacts.find(tx, USER)))
    begun = shop.clock.now()
    await shop.runtime.store.write(
        "x", lambda tx: tx.run("UPDATE conversation SET flow = 'outra' WHERE id = :id", id=second)
    )
    before = [row["deadline_at"] for row in await cycles(shop)]
    for contact_id, until in zip(ids, (ana, user), strict=True):
        if until is not None:
            await shop.runtime.store.write(
                "x", lambda tx, c=contact_id, u=until: pauses.begin(tx, c, begun, begun + u, "dora")
            )
    shop.clock.advance(10 * MINUTE)
    joined = shop.clock.now()
    await merged(shop, ANA, USER)
    person = await shop.person()
    assert person["paused_until"] == begun + max(ana or 0, user or 0)
    shop.clock.advance(5 * MINUTE)
    await shop.runtime.store.write("x", lambda tx: pauses.end(tx, person["id"], shop.clock.now(), shop.clock.now()))
    stood = [row["deadline_at"] - was for row, was in zip(await cycles(shop), before, strict=True)]
    assert stood == [shop.clock.now() - (begun if each is not None else joined) for each in (ana, user)]


async def test_names_tags_and_codes_of_both_are_kept(shop):
    await two_histories(shop)

    def unit(tx):
        ana, user = contacts.find(tx, ANA), contacts.find(tx, USER)
        contacts.set_tags(tx, ana, ["a", "b"])
        contacts.set_tags(tx, user, ["b", "c"])
        contacts.track(tx, user, "t0001", 0)
        tx.run("UPDATE contact SET email = 'u@x.example', name = 'Outra' WHERE id = :id", id=user)

    await shop.runtime.store.write("x", unit)
    await merged(shop, USER, ANA)
    person = await shop.person()
    assert (person["tags"], person["email"], person["name"]) == ('["a","b","c"]', "u@x.example", "Ana Lima")
    assert await shop.runtime.store.read(lambda tx: contacts.find(tx, "t0001")) == person["id"]


async def test_the_platform_s_patience_with_both_is_the_longer_wait_of_either(shop):
    """R27: what is capped for one half of a person is capped for the person."""
    await two_histories(shop)

    def unit(tx):
        ana, user = contacts.find(tx, ANA), contacts.find(tx, USER)
        holds.begin(tx, shop.channel_id, holds.MARKETING, str(ana), 1, 50, code=1, detail=None)
        holds.begin(tx, shop.channel_id, holds.MARKETING, str(user), 2, 70, code=2, detail=None)
        holds.begin(tx, 99, holds.MARKETING, str(user), 2, 60, code=2, detail=None)

    await shop.runtime.store.write("x", unit)
    kept = await merged(shop, ANA, USER)
    found = await shop.runtime.store.read(holds.everything)
    assert {(hold.channel_id, hold.subject, hold.until) for hold in found} == {
        (shop.channel_id, str(kept), 70), (99, str(kept), 60),
    }  # fmt: skip


async def test_the_file_of_an_unread_message_goes_along_with_it(shop):
    first, second = await two_histories(shop)
    audio = {"type": "audio", "audio": {"id": "m1", "mime_type": "audio/ogg"}}
    body = shop.body(ANA, "", "wamid.AUDIO")
    message = body["entry"][0]["changes"][0]["value"]["messages"][0]
    message.pop("text")
    message |= audio
    await shop.posts(body)
    await quiet_for_long(shop, first)
    kept = await merged(shop, ANA, USER)
    [file] = await shop.rows(
        "SELECT i.conversation_id, i.contact_id FROM media m JOIN inbound i ON i.id = m.inbound_id"
    )
    assert file == {"conversation_id": second, "contact_id": kept}


async def test_a_decision_that_began_before_a_merge_is_made_again_after_it(shop):
    """R26: the merge moves the version of every conversation of both."""
    await two_histories(shop)
    before = await shop.rows("SELECT id, version FROM conversation ORDER BY id")
    await merged(shop, ANA, USER)
    after = await shop.rows("SELECT id, version FROM conversation ORDER BY id")
    assert all(now["version"] > was["version"] for was, now in zip(before, after, strict=True))


# Whatever a channel says about people, in any order, the same names are one person.

PEOPLE = [
    Person(phone=ANA),
    Person(lid="1@lid"),
    Person(bsuid=USER),
    Person(phone=ANA, lid="1@lid"),
    Person(lid="1@lid", bsuid=USER),
    Person(phone=BIA, lid="2@lid"),
]


class Undone(Exception):
    """Carries what a transaction had come to out of it; nothing of it stays."""


async def people_after(shop, order, kind):
    def unit(tx):
        for number, person in enumerate(order):
            arrival = Arrival(number, shop.runtime.flows, f"w{number}", shop.flow, channel_id=shop.channel_id)
            item = {
                "message": Message(provider_id=f"m{number}", person=person, at=number, kind="text", text="oi"),
                "echo": Echo(provider_id=f"m{number}", person=person, at=number, text="oi"),
            }[kind]
            take(tx, arrival, item, {})
        rows = tx.rows("SELECT contact_id, kind, value FROM identity")
        groups = {row["contact_id"]: set() for row in rows}
        for row in rows:
            groups[row["contact_id"]].add((row["kind"], row["value"]))
        raise Undone(sorted(map(sorted, groups.values())), tx.value("SELECT COUNT(*) FROM collision"))

    with pytest.raises(Undone) as seen:
        await shop.runtime.store.write("x", unit)
    return seen.value.args


@pytest.mark.parametrize("kind", ["message", "echo"])
async def test_in_any_order_of_arrival_the_same_names_are_one_person(small_shop, kind):
    """R70: of three names of one person at most one contact can have two, so there is always one to be merged."""
    came = {str(await people_after(small_shop, order, kind)) for order in list(permutations(PEOPLE))[::7]}
    names = [
        sorted([("phone", ANA), ("lid", "1@lid"), ("bsuid", USER)]),
        sorted([("phone", BIA), ("lid", "2@lid")]),
    ]
    assert came == {str((sorted(names), 0))}


async def test_two_people_with_more_than_one_name_each_are_never_merged_by_themselves(shop):
    now = shop.clock.now()

    def unit(tx):
        arrival = Arrival(now, shop.runtime.flows, "w", shop.flow, channel_id=shop.channel_id)
        for number, person in enumerate([
            Person(phone=ANA, lid="1@lid"), Person(phone=BIA, bsuid=USER), Person(lid="1@lid", bsuid=USER),
            Person(lid="1@lid", bsuid=USER),
        ]):  # fmt: skip
            take(tx, arrival, Message(provider_id=f"m{number}", person=person, at=now, kind="text", text="oi"), {})
        return (
            contacts.find(tx, ANA),
            contacts.find(tx, BIA),
            tx.rows("SELECT one, other, via, decision FROM collision"),
        )

    ana, bia, asked = await shop.runtime.store.write("x", unit)
    assert asked == [{"one": ana, "other": bia, "via": "message", "decision": None}]
    assert [outcome for outcome, _ in await shop.outcomes()].count("identity_conflict") == 1, "asked once"
    await sound(shop)


async def test_whom_a_person_told_apart_no_proof_merges(shop):
    await two_histories(shop)

    def told_apart(tx):
        ana, user = contacts.find(tx, ANA), contacts.find(tx, USER)
        collisions.put(tx, ana, user, "payment", ANA, 1)
        collisions.decide(tx, collisions.known(tx, ana, user).id, collisions.DIFFERENT, "dora", 2)

    await shop.runtime.store.write("x", told_apart)
    assert await shop.posts(from_user(shop, "sou eu", phone=ANA, named="wamid.U2")) == 200
    assert len(await shop.rows("SELECT id FROM contact WHERE merged_into IS NULL")) == 2
    assert [outcome for outcome, _ in await shop.outcomes()].count("identity_conflict") == 0


async def test_a_payment_proves_nothing_about_whose_phone_it_is(shop):
    """R34, R70: somebody else may pay by the link of a person."""
    await shop.talks(ANA, "oi")
    await shop.talks(BIA, "oi")

    def unit(tx):
        contacts.track(tx, contacts.find(tx, ANA), "t0001", 0)
        arrival = Arrival(1, shop.runtime.flows, "w", shop.flow, source_id=1)
        item = Payment(
            event_id="e1", platform="hotmart", outcome="approved", at=1, transaction="HP1",
            person=Person(reference="t0001", phone=BIA),
        )  # fmt: skip
        take(tx, arrival, item, {"approved": "pagamento_aprovado"})

    await shop.runtime.store.write("x", unit)
    await shop.works()
    assert (await shop.state(ANA), await shop.state(BIA)) == ("PAGO", "ENGAJADO")
    assert [row["via"] for row in await shop.rows("SELECT via FROM collision")] == ["payment"]
    await sound(shop)


def moved_to(new, **names):
    return NumberChange(provider_id="s1", person=Person(phone=ANA, **names), new=new, at=1)


@pytest.mark.parametrize(("new", "asked"), [(Person(phone=BIA), True), (Person(bsuid="BR.2"), False)])
async def test_a_new_number_or_id_that_somebody_talks_with_is_a_question_and_a_free_one_is_followed(shop, new, asked):
    await shop.talks(ANA, "oi")
    await shop.talks(BIA, "oi")
    arrival = Arrival(shop.clock.now(), shop.runtime.flows, "w", shop.flow, channel_id=shop.channel_id)
    await shop.runtime.store.write("x", lambda tx: take(tx, arrival, moved_to(new), {}))
    assert len(await shop.rows("SELECT id FROM collision")) == int(asked)
    assert len(await shop.rows("SELECT id FROM contact WHERE merged_into IS NULL")) == 2
    if not asked:
        assert await shop.runtime.store.read(lambda tx: contacts.find(tx, "BR.2")) == (await shop.person())["id"]
    await sound(shop)


async def test_a_new_number_whose_owner_never_said_anything_is_this_person(shop):
    await shop.talks(ANA, "oi")
    arrival = Arrival(shop.clock.now(), shop.runtime.flows, "w", shop.flow, channel_id=shop.channel_id)

    def unit(tx):
        contacts.resolve(tx, Person(phone=BIA), 1)
        take(tx, arrival, moved_to(Person(phone=BIA)), {})

    await shop.runtime.store.write("x", unit)
    assert [row["phone"] for row in await shop.rows("SELECT phone FROM contact WHERE merged_into IS NULL")] == [BIA]
    await shop.writes(BIA, "sou eu, de número novo")
    await shop.after(5_000)
    assert shop.provider.calls[-1]["to"] == BIA
    await sound(shop)


async def test_a_letter_on_the_wire_during_a_merge_is_settled_for_whom_it_was_sent_and_what_follows_is_the_other_s(
    shop,
):
    """R27, R75: the platform's stop reaches the person who is there now."""
    await two_histories(shop)
    user = await shop.runtime.store.read(lambda tx: contacts.find(tx, USER))
    shop.provider.plan = [(400, {"error": {"code": 131050, "message": "stopped"}})]

    async def meanwhile(request, real=shop.provider.request):
        await merged(shop, ANA, USER)
        return await real(request)

    await shop.posts(from_user(shop, "quanto custa?", named="wamid.U7"))
    shop.clock.advance(5_000)
    for group in (await sweep.tick(shop.runtime)).advance:
        await advance.run(shop.runtime, group)
    shop.provider.request = meanwhile
    await shop.works()
    del shop.provider.request
    person = await shop.person()
    assert person["id"] != user
    assert person["opt_out_at"] is not None
    await sound(shop)


async def test_messages_that_arrive_while_two_become_one_end_with_that_one(busy_shop):
    """R26, R70: whoever comes first, nothing belongs to a contact that is gone, and there is one talk."""
    for number in range(4):
        ana, user = f"554190000010{number}", f"BR.{number}"
        for count in range(2):
            await busy_shop.posts(busy_shop.body(ana, "oi", f"wamid.A{number}.{count}"))
            await busy_shop.posts(of_user(busy_shop, user, f"wamid.U{number}.{count}"))
        bodies = [busy_shop.body(ana, "oi", f"wamid.B{number}.{n}") for n in range(4)]
        bodies += [of_user(busy_shop, user, f"wamid.V{number}.{n}") for n in range(4)]
        both = of_user(busy_shop, user, f"wamid.W{number}", phone=ana)
        came = await asyncio.gather(*map(busy_shop.posts, [*bodies[:5], both, *bodies[5:]]))
        assert set(came) == {200}
        person = await busy_shop.person(ana)
        assert (await busy_shop.person(user))["id"] == person["id"]
    assert len(await busy_shop.rows("SELECT id FROM inbound")) == 4 * 13
    await busy_shop.after(5_000)
    assert await busy_shop.rows("SELECT id FROM inbound WHERE outcome <> 'batched'") == []
    assert len(await busy_shop.rows("SELECT id FROM conversation WHERE followed_by IS NULL")) == 4
    await sound(busy_shop)


def of_user(shop, user, named, phone=None):
    body = from_user(shop, "oi", phone=phone, named=named)
    body["entry"][0]["changes"][0]["value"]["messages"][0]["from_user_id"] = user
    return body
