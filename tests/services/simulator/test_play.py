"""Steps played through the engine: a step back is as if it had never been, and repetitions and a crash change nothing."""

import asyncio
import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.document import read
from engine.core.errors import Refused
from engine.core.folding import sanitise
from engine.samples import tree
from engine.services.scenarios.posting import outcomes, source
from engine.services.simulator import scenes
from engine.services.simulator.play import play
from engine.services.simulator.runs import payable
from engine.services.simulator.steps import MOST_STEPS, Step, stored, told, usable
from tests.services.small_flow import small


def world(document):
    """The setup of a run of this document."""
    events = payable(read(document))
    told_of = [source(outcomes(events))] if events else []
    return {"flow": {"document": document}, "channel": {"kind": "whatsapp_cloud"}, "sources": told_of}


VENDA = world(tree("venda"))
SMALL = world(small())
MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
ANY_STEP = st.one_of(
    st.builds(Step, kind=st.just("message"), text=st.sampled_from(["oi", "quanto custa?", "quero comprar", "pare"]), more=st.booleans()),
    st.builds(Step, kind=st.just("payment"), event=st.sampled_from(payable(read(tree("venda")))), order=st.sampled_from(["A", "B"])),
    st.builds(Step, kind=st.just("clock"), by=st.sampled_from([5 * MINUTE, 2 * HOUR, 26 * HOUR])),
    st.builds(Step, kind=st.sampled_from(["crash", "person"]), name=st.just("Bia")),
)  # fmt: skip


def happened(came):
    """Everything that a run came to, to be compared."""
    page = came.page
    standing = (
        None if page is None else (page.state, page.context, page.deadline_at, page.rung, page.letters, page.lines)
    )
    return came.log, came.inputs, came.faults, came.now, came.next_at, standing, dict(came.answers)


def moved(came):
    """What the flow did: every decision, in order."""
    rows = [one.entry for one in came.log]
    return [(row.outcome, row.event, row.frm, row.to, row.facts.get("actions")) for row in rows if row.event]


def texts(came):
    return [(letter["action"], letter["payload"], letter["status"]) for letter in came.page.letters]


@pytest.fixture(autouse=True)
def nothing_kept():
    """Each test begins without a stage."""
    scenes._kept.clear()


@settings(max_examples=8, deadline=None)
@given(st.lists(ANY_STEP, min_size=1, max_size=6), st.data())
def test_going_back_is_as_if_the_step_had_never_been_made(steps, data):
    cut = data.draw(st.integers(0, len(steps)))

    async def work():
        scenes._kept.clear()
        fresh = happened(await play(VENDA, steps[:cut]))
        await play(VENDA, steps)
        assert happened(await play(VENDA, steps[:cut])) == fresh
        scenes._kept.clear()
        whole = happened(await play(VENDA, steps))
        for length in range(1, len(steps) + 1):
            last = happened(await play(VENDA, steps[:length]))
        assert last == whole

    asyncio.run(work())


async def test_another_way_after_a_step_back_is_gone_as_if_for_the_first_time():
    first, other = Step(kind="message", text="quanto custa?"), Step(kind="payment", event="pix_gerado")
    fresh = happened(await play(VENDA, [Step(kind="message", text="oi"), other, first]))
    scenes._kept.clear()
    await play(VENDA, [Step(kind="message", text="oi"), first])

    assert happened(await play(VENDA, [Step(kind="message", text="oi"), other, first])) == fresh


async def test_a_repetition_is_told_as_processed_and_changes_nothing():
    steps = [Step(kind="message", text="quanto custa?"), Step(kind="payment", event="pix_gerado")]
    before = await play(VENDA, steps)

    twice = await play(VENDA, [steps[0], Step(kind="again"), steps[1], Step(kind="again")])

    assert [one.entry.outcome for one in twice.log if one.step in (1, 3)] == ["duplicate", "duplicate"]
    assert moved(twice) == moved(before)
    assert [one[0] for one in texts(twice)] == [one[0] for one in texts(before)]


@pytest.mark.parametrize(
    "steps",
    [
        [Step(kind="message", text="oi"), Step(kind="message", text="quanto custa?")],
        [Step(kind="message", text="quero comprar"), Step(kind="clock", by=26 * HOUR)],
        [Step(kind="message", text="oi", more=True)],
        [Step(kind="payment", event="checkout_abandonado")],
    ],
)
async def test_a_crash_in_the_middle_of_a_send_loses_and_doubles_nothing(steps):
    before = await play(VENDA, steps)

    crashed = await play(VENDA, [*steps, Step(kind="crash")])

    assert moved(crashed) == moved(before)
    assert texts(crashed) == texts(before)
    said = [row for row in crashed.log if row.step == len(steps)]
    assert all(row.entry.outcome in ("sent", "delivery") for row in said)
    assert "restart" in {row["kind"] for row in crashed.inputs}


async def test_the_crash_happens_while_a_letter_is_on_the_wire():
    came = await play(VENDA, [Step(kind="message", text="oi"), Step(kind="crash")])

    settled = next(one.entry for one in came.log if one.entry.reason == "send_settled")
    assert settled.facts["by"] == "status"
    assert came.faults == ({"what": "send_answer_delayed", "at": 4.0, "seconds": 5, "times": 1},)


async def test_older_news_of_a_purchase_come_with_their_own_time():
    came = await play(
        VENDA,
        [
            Step(kind="payment", event="pix_gerado", order="P1", amount=100),
            Step(kind="late", event="checkout_abandonado"),
        ],
    )

    newer, older = (row["payload"] for row in came.inputs if row["kind"] == "json")
    assert (older["order"], older["at"]) == (newer["order"], newer["at"] - MINUTE)
    assert older["amount"] == 100


async def test_older_news_of_a_delivery_are_told_as_older():
    came = await play(VENDA, [Step(kind="message", text="oi"), Step(kind="read", late=True)])

    assert [one.entry.reason for one in came.log if one.step == 1] == [None, "older_status"]
    assert came.page.letters[0]["delivery"] == "read"


async def test_a_button_that_was_sent_can_be_tapped():
    ask = {"kind": "send", "text": "Qual?", "buttons": [{"id": "quer", "title": "Quero"}]}
    events = {"msg_recebida": {"source": "message"}, "quer": {"source": "message", "falls_back_to": "msg_recebida"}}
    document = small(actions={"oi": ask}, events=events, understanding=[{"event": "quer", "buttons": ["quer"]}])

    came = await play(
        world(document), [Step(kind="message", text="oi"), Step(kind="tap", button="quer", title="Quero")]
    )

    assert [one.entry.event for one in came.log if one.entry.outcome == "transition"] == ["msg_recebida", "quer"]


async def test_an_event_that_does_not_fit_is_turned_away_and_changes_nothing():
    came = await play(SMALL, [Step(kind="event", event="nada")])

    assert came.answers == {0: 422}
    assert came.log == ()


@pytest.mark.parametrize(
    ("step", "code"),
    [
        (Step(kind="deadline"), "nothing_due"),
        (Step(kind="again"), "nothing_again"),
        (Step(kind="late", event="pix_gerado"), "nothing_bought"),
        (Step(kind="read"), "nothing_sent"),
    ],
)
async def test_what_cannot_be_done_yet_is_refused_with_its_reason(step, code):
    with pytest.raises(Refused) as refused:
        await play(VENDA, [step])

    assert refused.value.code == code


async def test_a_flow_with_very_short_silences_ends_with_a_refusal(monkeypatch):
    monkeypatch.setattr(scenes, "MOST_ROUNDS", 100)
    document = small()
    document["states"]["NOVO"] = {"deadline": "1s"}
    document["transitions"][1] = {"id": "t2", "from": "NOVO", "on": "timeout", "to": "NOVO", "do": ["oi"]}
    document["transitions"][0]["to"] = "NOVO"

    with pytest.raises(Refused) as refused:
        await play(world(document), [Step(kind="message", text="oi"), Step(kind="clock", by=9 * DAY)])

    assert refused.value.code == "too_much_happens"
    assert (await play(world(document), [Step(kind="message", text="oi")])).page is not None


@pytest.mark.parametrize(
    "row",
    [
        {"kind": "nothing"}, {"kind": 7}, {}, {"kind": "message", "text": 7}, {"kind": "clock", "by": "x"}, {"kind": "clock", "by": True},
        {"kind": "message", "text": "a", "more": "yes"}, {"kind": "event", "data": []}, {"kind": "message", "words": "a"}, 7, None,
        {"kind": "payment", "amount": "1"}, {"kind": "clock", "by": 0}, {"kind": "clock", "by": 10**15},
    ],
)  # fmt: skip
def test_stored_steps_that_nobody_could_have_made_are_refused(row):
    with pytest.raises(Refused):
        told(json.dumps([row]))


def test_a_run_has_a_longest_length():
    assert told(stored([Step(kind="again")] * MOST_STEPS))
    with pytest.raises(Refused, match="too_many_steps"):
        stored([Step(kind="again")] * (MOST_STEPS + 1))


@given(st.text(max_size=60))
def test_any_text_is_a_message_or_is_refused_as_empty(text):
    asked = Step(kind="message", text=text)
    if not sanitise(text)[0].strip():
        with pytest.raises(Refused, match="empty_message"):
            usable(asked)
        return
    assert told(stored([usable(asked)])) == (usable(asked),)


@pytest.mark.parametrize(
    "text", ["\x00\ud800 oi", "{{ 7*7 }} {% raw %}", "<script>alert(1)</script>", "\u202eola 🌻" * 400, "\u200b"]
)
async def test_odd_texts_are_played_like_any_other(text):
    step = usable(Step(kind="message", text=text))

    came = await play(SMALL, [step, replace(step, kind="tap", title=text[:50], button=text[:50])])

    assert came.page is not None
