"""What may be said of a test: intervals that are known by heart, and no claim by chance or too early."""

from random import Random

import pytest

from engine.core.conversion import LEAST, best, rate


@pytest.mark.parametrize(
    ("people", "won", "low", "high"),
    [
        (100, 10, 0.0552, 0.1744),  # Wilson (1927), 95 in 100
        (29, 1, 0.0061, 0.1718),  # Newcombe (1998), method 3
        (263, 81, 0.2553, 0.3662),
        (15, 0, 0.0, 0.2039),
        (148, 15, 0.0624, 0.1605),
    ],
)
def test_a_rate_has_the_interval_of_the_literature(people: int, won: int, low: float, high: float) -> None:
    found = rate(people, won, 0.05)

    assert (found.low, found.high) == pytest.approx((low, high), abs=0.0002)
    assert found.share == won / people


def test_of_nobody_nothing_is_known() -> None:
    nobody = rate(0, 0)

    assert (nobody.low, nobody.high, nobody.share) == (0.0, 1.0, 0.0)
    assert best([]) is best([(0, 0)]) is best([(0, 0), (0, 0)]) is None


def test_a_clear_lead_is_told_and_a_narrow_one_is_not() -> None:
    assert best([(1000, 100), (1000, 200)]) == 1
    assert best([(1000, 200), (1000, 100)]) == 0
    assert best([(1000, 100), (1000, 115)]) is None
    assert best([(1000, 100), (1000, 200), (1000, 195)]) is None
    assert best([(1000, 100), (1000, 139)]) == 1
    assert best([(1000, 100), (1000, 139), (1000, 100)]) is None, "two comparisons are two chances to be wrong"
    assert best([(1000, 100), (1000, 250), (1000, 150)]) == 1


def test_nothing_is_claimed_of_few_people_or_of_hardly_any_sales() -> None:
    assert best([(LEAST - 1, 0), (LEAST - 1, LEAST - 1)]) is None
    assert best([(LEAST, 0), (LEAST, LEAST)]) == 1
    assert best([(100_000, 0), (100, 4)]) is None


def test_equal_branches_are_hardly_ever_told_apart_even_by_who_looks_every_day() -> None:
    rng, mistaken = Random(5), 0
    for _ in range(300):
        counts = [[0, 0], [0, 0]]
        claimed = False
        for _day in range(20):
            for branch in counts:
                branch[0] += 50
                branch[1] += sum(rng.random() < 0.1 for _ in range(50))
            claimed = claimed or best([(people, won) for people, won in counts]) is not None
        mistaken += claimed

    assert mistaken <= 300 * 0.06
