"""What a person writes leaves once, in order with the robot's, and never into a state that they did not see (R25, R27)."""

import asyncio

import pytest

from engine.core.errors import Refused
from engine.core.flow import HOUR
from engine.core.platform_templates import Template
from engine.services import deliver, noting, supervise, write_template
from engine.store import templates
from engine.store.lanes import Store
from tests.runtimes import a_runtime
from tests.services.shop import ACTOR, ANA, Provider, opened

TWO = Template(
    name="retomada",
    language="pt_BR",
    status="APPROVED",
    components=[{"type": "BODY", "text": "Oi {{1}}, ainda quer {{2}}?"}],
)


async def talked(shop):
    await shop.talks(ANA, "oi")
    shop.provider.calls.clear()
    return (await shop.conversation()).id


async def known(shop, template=TWO):
    now = shop.clock.now()
    await shop.runtime.store.write("x", lambda tx: templates.put(tx, shop.channel_id, template, now))


async def test_a_message_beside_a_letter_of_the_robot_that_is_on_the_wire_waits_for_it_and_both_leave_once(shop):
    """R27, demand 10: what is claimed goes, what a person wrote follows it."""
    await shop.writes(ANA, "oi")
    shop.clock.advance(5_000)
    await shop.decides()
    number = (await shop.conversation()).id
    claimed = await shop.runtime.store.write("x", lambda tx: deliver.claim(tx, shop.runtime, number))
    assert claimed is not None and claimed.row.author is None

    await supervise.write_by_hand(shop.runtime, number, "eu mesma", "f1", ACTOR)
    await shop.works()
    assert shop.provider.texts == [], "the line is taken"
    taken = deliver.SendResult(outcome="accepted", provider_id="wamid.ROBOT")
    await shop.runtime.store.write("x", lambda tx: deliver.settle(tx, shop.clock.now(), claimed, taken))
    await shop.after(1_000)
    assert shop.provider.texts == ["eu mesma"]
    assert [one.status for one in await shop.letters()] == ["sent", "sent"]


async def test_a_letter_of_the_robot_that_waits_is_held_when_a_person_writes(shop):
    """Demand 10: an answer computed before the takeover is not sent after it."""
    await shop.writes(ANA, "oi")
    shop.clock.advance(5_000)
    await shop.decides()
    await supervise.write_by_hand(shop.runtime, (await shop.conversation()).id, "eu mesma", "f1", ACTOR)
    await shop.works()
    assert shop.provider.texts == ["eu mesma"]
    assert [one.status for one in await shop.letters()] == ["held", "sent"]


async def test_whoever_asked_to_stop_while_a_person_was_writing_is_not_written_to_by_surprise(shop):
    """R75: the person is told, and what they do then is their answer to the customer's own words."""
    number = await talked(shop)
    seen = await shop.state()
    await shop.writes(ANA, "pare")
    await shop.after(5_000)
    shop.provider.calls.clear()
    with pytest.raises(Refused) as refused:
        await supervise.write_by_hand(shop.runtime, number, "e aí?", "f1", ACTOR, seen=seen)
    await shop.works()
    assert (refused.value.code, refused.value.facts["was"], refused.value.facts["now"]) == (
        *("state_changed", seen),
        await shop.state(),
    )
    assert shop.provider.texts == []
    assert await supervise.write_by_hand(
        shop.runtime, number, "tudo bem, não escrevo mais", "f1", ACTOR, seen=await shop.state()
    )
    await shop.works()
    assert shop.provider.texts == ["tudo bem, não escrevo mais"]


async def test_a_second_click_after_the_state_changed_is_still_only_a_second_click(shop):
    number = await talked(shop)
    seen = await shop.state()
    assert await supervise.write_by_hand(shop.runtime, number, "oi", "f1", ACTOR, seen=seen)
    await shop.pays(ANA)
    await shop.works()
    assert await shop.state() != seen
    assert not await supervise.write_by_hand(shop.runtime, number, "oi", "f1", ACTOR, seen=seen)


async def test_a_template_leaves_outside_of_the_24_hours_once_with_its_values(busy_shop):
    """R28."""
    number = await talked(busy_shop)
    await known(busy_shop)
    busy_shop.clock.advance(30 * HOUR)
    (choice,) = await write_template.choices(busy_shop.runtime, number)
    assert (choice.key, choice.values) == ("retomada/pt_BR", ("", ""))
    sent = await asyncio.gather(
        *(
            write_template.write_template(busy_shop.runtime, number, choice.key, ["Ana", "o curso"], "f1", ACTOR)
            for _ in range(4)
        )
    )
    assert sorted(sent) == [False, False, False, True]
    await busy_shop.works()
    (call,) = [one for one in busy_shop.provider.calls if one.get("template", {}).get("name") == "retomada"]
    assert call["template"]["components"] == [
        {"type": "body", "parameters": [{"type": "text", "text": "Ana"}, {"type": "text", "text": "o curso"}]}
    ]
    (letter,) = [one for one in await busy_shop.letters() if one.author]
    assert letter.payload["text"] == "Oi Ana, ainda quer o curso?"


@pytest.mark.parametrize(
    ("key", "values", "code"),
    [
        ("retomada/pt_BR", ["Ana", " \n"], "template_value_missing"),
        ("retomada/pt_BR", ["Ana"], "template_value_missing"),
        ("retomada/pt_BR", ["Ana", "x" * 1_024], "template_value_long"),
        ("outra/pt_BR", [], "template_gone"),
        ("", [], "template_gone"),
    ],
)
async def test_a_template_that_would_not_be_taken_is_not_queued(small_shop, key, values, code):
    number = await talked(small_shop)
    await known(small_shop)
    with pytest.raises(Refused) as refused:
        await write_template.write_template(small_shop.runtime, number, key, values, "f1", ACTOR)
    assert refused.value.code == code
    assert [one for one in await small_shop.letters() if one.author] == []


async def test_only_templates_that_can_be_filled_in_here_are_offered(small_shop):
    number = await talked(small_shop)
    head = [{"type": "HEADER", "format": "IMAGE"}, {"type": "BODY", "text": "oi"}]
    for name, more in (("parado", {"status": "PAUSED"}), ("figura", {"components": head})):
        plain = {"status": "APPROVED", "components": TWO.components}
        await known(small_shop, Template(name=name, language="pt_BR", **{**plain, **more}))
    await known(small_shop)
    assert [one.name for one in await write_template.choices(small_shop.runtime, number)] == ["retomada"]


async def test_the_values_of_a_template_of_the_flow_are_what_the_flow_would_put_in(sqlite_url):
    runtime = a_runtime(sqlite_url, store=Store(sqlite_url, inline=True), http=Provider())
    shop = await opened(runtime)
    number = await talked(shop)
    flow = await runtime.flow(shop.flow, 1)
    asked = next(
        one.template for one in flow.actions.values() if getattr(one, "template", None) and one.template.params
    )
    body = "Oi " + " ".join(f"{{{{{n}}}}}" for n in range(1, len(asked.params) + 1)) + "."
    components = [{"type": "BODY", "text": body}]
    await known(shop, Template(name=asked.name, language=asked.language, status="APPROVED", components=components))
    (choice,) = await write_template.choices(runtime, number)
    assert len(choice.values) == len(asked.params)
    assert not any("{{" in value for value in choice.values)
    await runtime.close()


async def test_a_note_is_written_once_and_never_sent(busy_shop):
    number = await talked(busy_shop)
    noted = await asyncio.gather(
        *(noting.note(busy_shop.runtime, number, " já é cliente ", "n1", ACTOR) for _ in range(4))
    )
    await busy_shop.works()
    assert sorted(noted) == [False, False, False, True]
    assert busy_shop.provider.texts == []
    assert [row["text"] for row in await busy_shop.rows("SELECT text FROM talk_note")] == ["já é cliente"]
    told = await busy_shop.rows("SELECT facts FROM log WHERE reason = 'noted' UNION SELECT facts FROM audit")
    assert not any("já é cliente" in row["facts"] for row in told), "the log is not for what people note"
    assert (await busy_shop.person())["paused_until"] is None


@pytest.mark.parametrize(("words", "code"), [(" \n", "empty_note"), ("x" * 4_097, "talk_note_long")])
async def test_what_is_no_note_is_refused(small_shop, words, code):
    number = await talked(small_shop)
    with pytest.raises(Refused) as refused:
        await noting.note(small_shop.runtime, number, words, "n1", ACTOR)
    assert refused.value.code == code
