"""What became of each message, on letters whose fates are known."""

from engine.core.analysis.messages import Bubble, Fate, fates

H = 3_600_000


def bubble(sent=None, *, event="e", action="oi", status="sent", reason=None, delivery=None, one=1):
    return Bubble(one, event, action, "message", status, reason, None if sent is None else sent * H, delivery)


def made(*bubbles, arrived=(), stopped=()):
    hours = {1: [round(hour * H) for hour in arrived]}
    outs = {1: [round(hour * H) for hour in stopped]}
    found = fates(bubbles, lambda each: (each.action, 0), hours, outs)
    return {action: fate for (action, _), fate in found.items()}


def test_a_message_in_three_bubbles_is_one_message():
    found = made(bubble(1, delivery="read"), bubble(1, delivery="delivered"), bubble(1))
    assert found == {"oi": Fate(sent=1, delivered=1, read=1)}


def test_what_was_read_was_delivered_and_what_never_left_is_nothing():
    found = made(bubble(1, delivery="played"), bubble(event="f", status="suppressed"), bubble(event="g", status="held"))
    assert found == {"oi": Fate(sent=1, delivered=1, read=1)}


def test_an_answer_counts_for_the_message_before_it_alone():
    found = made(bubble(1), bubble(2, event="f", action="oferta"), arrived=(3,))
    assert (found["oi"].answered, found["oferta"].answered) == (0, 1)


def test_what_left_together_is_answered_together():
    found = made(bubble(1), bubble(1, action="oferta"), arrived=(2,))
    assert (found["oi"].answered, found["oferta"].answered) == (1, 1)


def test_an_answer_after_a_day_is_none():
    assert made(bubble(1), arrived=(25,))["oi"].answered == 1
    assert made(bubble(1), arrived=(25.1,))["oi"].answered == 0
    assert made(bubble(1), arrived=(1,))["oi"].answered == 0, "it came before"


def test_whoever_stops_within_a_day_counts_at_each_message_of_that_day():
    found = made(bubble(1), bubble(20, event="f", action="oferta"), stopped=(24,))
    assert (found["oi"].stopped, found["oferta"].stopped) == (1, 1)
    assert made(bubble(1), stopped=(30,))["oi"].stopped == 0


def test_a_person_who_stopped_us_is_a_block_and_anything_else_a_failure():
    found = made(
        bubble(status="failed", reason="stop_marketing"),
        bubble(status="failed", reason="contact", event="f"),
        bubble(1, status="failed", reason="not_delivered", event="g"),
    )
    assert found == {"oi": Fate(sent=1, blocked=1, failed=2)}


def test_a_letter_that_went_again_is_one_message():
    found = made(bubble(1, status="failed", reason="rate"), bubble(2, delivery="delivered"))
    assert found == {"oi": Fate(sent=1, delivered=1, failed=1)}
