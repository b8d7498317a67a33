"""What makes a code count once, whoever asks at the same moment: one conditional statement each (SEC-S9)."""

from engine.store import accounts, factors

NOW = 1_764_500_000_000


async def somebody(store, email="a@example.com"):
    def unit(tx):
        made = accounts.add(tx, email=email, name="", role="admin", now=NOW)
        factors.begin(tx, made, "sealed")
        assert factors.confirm(tx, made, "sealed", 7)
        return made

    return await store.write("accounts", unit)


async def test_a_step_is_used_once_and_none_before_it_any_more(store):
    user = await somebody(store)
    answers = [
        await store.write("accounts", lambda tx, s=s: factors.use_step(tx, user, "sealed", s)) for s in (7, 8, 8, 6, 9)
    ]

    assert answers == [False, True, False, False, True]


async def test_a_step_of_a_seed_that_was_replaced_is_worth_nothing(store):
    user = await somebody(store)

    assert not await store.write("accounts", lambda tx: factors.use_step(tx, user, "another", 9))
    await store.write("accounts", lambda tx: factors.drop(tx, user))
    assert not await store.write("accounts", lambda tx: factors.use_step(tx, user, "sealed", 9))


async def test_a_seed_is_confirmed_only_while_it_is_the_one_that_waits(store):
    user = await somebody(store)
    await store.write("accounts", lambda tx: factors.begin(tx, user, "newer"))

    assert not await store.write("accounts", lambda tx: factors.confirm(tx, user, "older", 9))


async def test_a_recovery_code_is_used_once_by_its_owner(store):
    ana, bia = await somebody(store), await somebody(store, "b@example.com")
    await store.write("accounts", lambda tx: factors.replace_codes(tx, ana, ["d1", "d2"]))
    used = [
        await store.write("accounts", lambda tx, who=who: factors.use_code(tx, who, "d1", NOW))
        for who in (bia, ana, ana)
    ]

    assert used == [False, True, False]
    assert await store.read(lambda tx: factors.codes_left(tx, ana)) == 1
