"""Files and people in a simulation: pictures, audios with their words and documents, taking over and giving back (R74)."""

import pytest

from engine.core.errors import Refused
from engine.samples import tree
from engine.services.simulator.as_test import came, document_of
from engine.services.simulator.play import play
from engine.services.simulator.steps import Step, stored, told, usable
from tests.services.simulator.test_play import MINUTE, world

SALE = world(tree("venda"))
GREETED = [Step(kind="message", text="oi")]
TAKE, BACK = Step(kind="take", by=30 * MINUTE), Step(kind="give_back")


def moved(run):
    return [(one.entry.event, one.entry.to) for one in run.log if one.entry.outcome == "transition"]


def sent(run):
    """What left, in words."""
    return [one["payload"]["text"] for one in run.page.letters if one["status"] == "sent"]


async def test_what_is_said_in_an_audio_is_understood_like_what_is_written():
    written = await play(SALE, [*GREETED, Step(kind="message", text="quanto custa?")])
    spoken = await play(SALE, [*GREETED, Step(kind="file", medium="audio", text="quanto custa?")])

    assert moved(spoken) == moved(written)
    assert sent(spoken) == sent(written)
    assert spoken.page.lines[-2].kind in ("in", "moved")


async def test_a_picture_and_a_document_arrive_with_the_words_under_them():
    for medium in ("image", "document"):
        run = await play(SALE, [*GREETED, Step(kind="file", medium=medium, text="quanto custa?")])
        assert moved(run)[-1][1] == "NEGOCIANDO", medium
        bare = await play(SALE, [*GREETED, Step(kind="file", medium=medium)])
        assert len(moved(bare)) == 2, "and without words they are a message like any other"


async def test_while_a_person_answers_the_bot_is_quiet_and_given_back_it_goes_on():
    quiet = [*GREETED, TAKE, Step(kind="message", text="quanto custa?")]
    taken = await play(SALE, quiet)
    assert sent(taken) == sent(await play(SALE, GREETED))
    assert (taken.page.paused_until - taken.now) // MINUTE in (29, 30)
    assert {"human_takeover"} <= {one.entry.outcome for one in taken.log if one.step == 1}

    back = await play(SALE, [*quiet, BACK, Step(kind="message", text="quero comprar")])
    assert back.page.paused_until is None
    assert len(sent(back)) > len(sent(taken))
    assert {one.entry.reason for one in back.log if one.step == 3} >= {"given_back"}


async def test_nobody_takes_over_before_anybody_wrote_and_an_audio_says_something():
    for step in (TAKE, BACK):
        with pytest.raises(Refused, match="nobody_wrote"):
            await play(SALE, [step])
    for step, code in (
        (Step(kind="file", medium="audio", text=" "), "empty_message"),
        (Step(kind="file", medium="sticker"), "step_unknown"),
        (Step(kind="take"), "clock_too_far"),
    ):
        with pytest.raises(Refused, match=code):
            usable(step)


async def test_such_a_run_is_kept_and_becomes_a_test_that_says_so():
    steps = [
        *GREETED, Step(kind="file", medium="audio", text="quanto custa?"), Step(kind="file", medium="image", more=True),
        Step(kind="message", text="essa aqui"), TAKE, Step(kind="message", text="oi?"), Step(kind="give_back", held=True),
    ]  # fmt: skip
    assert told(stored(steps)) == tuple(steps)
    run = await play(SALE, steps)

    document = await document_of("assumir", SALE, run)

    assert document["expect"]["texts"] == sent(run)
    assert [row["kind"] for row in document["inputs"]].count("operator") == 2
    seen = await came(
        {key: value for key, value in document.items() if key != "expect"} | {"expect": {}}, tree("venda")
    )
    assert list(seen.texts) == sent(run)
