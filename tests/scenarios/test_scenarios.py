"""Every scenario file passes on both databases, and fails as soon as one thing that it expects is another."""

import pytest

from engine.services.scenarios.compare import differences
from engine.services.scenarios.run import play
from tests.scenarios.playing import FILES, FOLDER, NAMES, came_of, spoilt


@pytest.mark.parametrize("name", NAMES)
async def test_the_scenario_passes(name):
    scenario, seen = await came_of(name)
    assert differences(scenario.expect, seen) == []


@pytest.mark.parametrize("name", NAMES)
async def test_the_scenario_fails_for_each_value_that_is_not_as_it_was(name):
    scenario, seen = await came_of(name)
    unnoticed = [where for where, expect in spoilt(scenario.expect) if not differences(expect, seen)]
    assert unnoticed == []


async def test_all_scenarios_pass_on_postgresql_too(postgres_url):
    failed = {}
    for path in FILES:
        result = await play(path, postgres_url)
        if not result.passed:
            failed[path.name] = result.differences
    assert failed == {}


def test_the_folder_says_why_a_case_is_not_here():
    later = [line.split("`")[1] for line in (FOLDER / "deferred.md").read_text().splitlines() if line.startswith("| `")]
    assert later
    assert not set(later) & set(NAMES)
