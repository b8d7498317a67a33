"""The account of each state closes, for every range, version and branch, over random histories of everything (R45).

Whoever comes must leave or be there: here before + entered = left + still here. And each of the four figures is what a
witness saw who never read the log.
"""

from datetime import UTC, datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from engine.core.flow import HOUR
from engine.services import edit
from engine.services.analysis import Question, analyse
from tests.services.histories import BRANCHES, DEEDS, Historian

ZONE = ZoneInfo("America/Sao_Paulo")
STEPS = st.lists(
    st.tuples(
        st.sampled_from(DEEDS), st.integers(0, 7), st.integers(0, 7), st.integers(1, 40).map(lambda n: n * HOUR + n)
    ),
    min_size=12,
    max_size=30,
)


def day_of(at):
    return datetime.fromtimestamp(at / 1000, UTC).astimezone(ZONE).date()


def midnight(day):
    return round(datetime(day.year, day.month, day.day, tzinfo=ZONE).timestamp() * 1000)


@settings(
    max_examples=8,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(steps=STEPS, seed=st.integers(0, 99))
async def test_every_account_closes_and_is_what_a_witness_saw(runtime, steps, seed):
    historian = Historian(runtime, len(await edit.drafts(runtime)))
    await historian.opens()
    began = day_of(runtime.clock.now())
    for deed, who, other, passes in [("enter", 0, 0, 1), ("enter", 0, 0, 1), *steps]:
        await historian.does(deed, who, other, passes)
    random, last = Random(seed), (day_of(runtime.clock.now()) - began).days
    for _ in range(4):
        first, end = sorted(random.choices(range(-1, last + 2), k=2))
        days = began + timedelta(days=first), began + timedelta(days=end)
        for number in (None, *historian.numbers):
            for branch in (None, *BRANCHES) if number is None else (None,):
                await agrees(runtime, historian, days, number, branch)


async def agrees(runtime, historian, days, number, branch):
    """One question: the live version may have no split, then a branch of it is everybody."""
    asked = Question(range=f"{days[0]}..{days[1]}", versions=frozenset({number} - {None}), branch=branch or "")
    found = await analyse(runtime, historian.slug, asked)
    assert {name: one for name, one in found.accounts.items() if not one.closes} == {}
    assert {name: step for name, step in found.funnel.steps.items() if not step.closes} == {}
    assert all(step.reached <= found.funnel.began for step in found.funnel.steps.values())

    def wanted(stay):
        return (number is None or stay[1] == number) and (not found.question.branch or branch in stay[2])

    since, until = midnight(days[0]), min(midnight(days[1] + timedelta(days=1)), runtime.clock.now() + 1)
    until = max(since, until)
    before, entered, left, still = historian.witness.counted(since, until, wanted)
    for name, one in found.accounts.items():
        seen = tuple(counts.get(name, 0) for counts in (before, entered, left, still))
        assert (one.before, one.entered, one.gone, one.still) == seen, (name, asked)
    assert {*before, *entered, *left, *still} <= {*found.accounts}
