"""Every scenario file passes on both databases, and fails as soon as one thing that it expects is another."""

import pytest
from sqlalchemy import create_engine

from engine.adapters.payments.registry import PLATFORMS
from engine.services.scenarios.compare import differences
from engine.services.scenarios.reading import load
from engine.services.scenarios.run import play, played
from tests.emptied import shared
from tests.scenarios.playing import FILES, NAMES, came_of, spoilt


@pytest.fixture(scope="session")
def postgres_template(request):
    return request.getfixturevalue("_postgres_template")


@pytest.mark.parametrize("name", NAMES)
async def test_the_scenario_passes(name):
    scenario, seen = await came_of(name)
    assert differences(scenario.expect, seen) == []


@pytest.mark.parametrize("name", NAMES)
async def test_the_scenario_fails_for_each_value_that_is_not_as_it_was(name):
    scenario, seen = await came_of(name)
    unnoticed = [where for where, expect in spoilt(scenario.expect) if not differences(expect, seen)]
    assert unnoticed == []


@pytest.mark.timeout(600)
async def test_all_scenarios_pass_on_postgresql_too(postgres_cluster, postgres_template):
    failed = {}
    with shared(postgres_cluster, postgres_template) as empty:
        for path in FILES:
            scenario = load(path, frozenset(PLATFORMS))
            if found := differences(scenario.expect, await played(scenario, empty())):
                failed[path.name] = found
    assert failed == {}


async def test_a_scenario_on_somebody_s_postgresql_touches_nothing_that_is_there(postgres_url):
    """It plays in a schema of its own, also where the address brings options of its own."""
    for options in ("", "&options=-c%20work_mem%3D8MB"):
        for path in FILES[:2]:
            assert (await play(path, postgres_url + options)).passed
    engine = create_engine(postgres_url)
    with engine.connect() as connection:
        for table in ("contact", "conversation", "flow", "log"):
            assert connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one() == 0
        schemas = connection.exec_driver_sql("SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'scratch%%'")
        assert schemas.scalar_one() == 0
    engine.dispose()
