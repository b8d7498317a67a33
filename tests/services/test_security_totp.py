"""Second factors: a password alone begins no session, a code counts once, guessing is slowed down (SEC-S9, SEC-S10)."""

import asyncio
from base64 import b32decode

import pytest

from engine.core import totp
from engine.core.errors import Refused
from engine.core.flow import MINUTE
from engine.core.permissions import Actor
from engine.services import accounts, safeguards, second_factor, sign_in
from engine.services.safeguards import Safeguards
from engine.services.sign_in import Owing
from engine.store import audit

GOOD = "trem azul na serra"
ADMIN = Actor("livia@example.com", "10.0.0.1")
CAIO = Actor("caio@example.com", "10.0.0.2")


async def refusal(awaited):
    with pytest.raises(Refused) as caught:
        await awaited
    return caught.value.code


async def member(runtime, email="caio@example.com", role="supervisor"):
    return await accounts.use_link(runtime, await accounts.invite(runtime, email, role, ADMIN), GOOD)


def code_now(runtime, seed, by=0):
    return totp.code(seed, runtime.clock.now() // totp.STEP + by)


async def seed_of(runtime, account):
    """What the person's app would read off the page."""
    await second_factor.begin(runtime, account.id)
    spelled = (await second_factor.offered(runtime, account.id)).spelled
    return b32decode(spelled.replace(" ", ""))


async def guarded(runtime):
    """Somebody with a second factor: the account, the seed of the app, the recovery codes."""
    account = await member(runtime)
    seed = await seed_of(runtime, account)
    codes = await second_factor.confirm(runtime, account.id, code_now(runtime, seed), CAIO, keep="")
    runtime.clock.advance(2 * totp.STEP)
    return account, seed, codes


async def owing(runtime):
    found = await sign_in.sign_in(runtime, "caio@example.com", GOOD, "10.0.0.2")
    assert isinstance(found, Owing)
    return found.token


async def test_a_seed_is_in_use_only_after_its_first_code_and_never_in_clear(runtime):
    account = await member(runtime)
    seed = await seed_of(runtime, account)

    assert await seed_of(runtime, account) == seed  # the page may be looked at again
    assert await refusal(second_factor.confirm(runtime, account.id, "000000", CAIO, keep="")) == "code_wrong"
    assert isinstance(await sign_in.sign_in(runtime, "caio@example.com", GOOD, "10.0.0.2"), str)
    codes = await second_factor.confirm(runtime, account.id, code_now(runtime, seed), CAIO, keep="")

    assert len(set(codes)) == 10
    assert await refusal(second_factor.begin(runtime, account.id)) == "factor_on"
    assert await second_factor.offered(runtime, account.id) is None
    dump = await runtime.store.read(
        lambda tx: repr([tx.rows(f"SELECT * FROM {n}") for n in ("account", "recovery_code")])
    )
    assert seed.hex() not in dump
    assert not any(code in dump or code.replace("-", "") in dump for code in codes)


async def test_a_right_password_alone_begins_no_session(runtime):
    await guarded(runtime)
    token = await owing(runtime)

    assert await sign_in.session(runtime, token) is None
    assert await runtime.store.read(lambda tx: tx.value("SELECT count(*) FROM session")) == 0


async def test_the_session_after_the_code_has_another_secret_than_what_owed_it(runtime):
    account, seed, _ = await guarded(runtime)
    owed = await owing(runtime)

    token = await second_factor.enter(runtime, owed, code_now(runtime, seed))

    assert token != owed
    assert (await sign_in.session(runtime, token)).account.id == account.id
    runtime.clock.advance(2 * totp.STEP)
    assert await refusal(second_factor.enter(runtime, owed, code_now(runtime, seed))) == "code_late"


async def test_a_code_counts_once_also_for_several_at_the_same_moment(runtime):
    _, seed, _ = await guarded(runtime)
    code, owed = code_now(runtime, seed), await owing(runtime)

    answers = await asyncio.gather(
        *(second_factor.enter(runtime, owed, code) for _ in range(4)), return_exceptions=True
    )

    assert [type(answer) for answer in answers].count(str) == 1
    again = await owing(runtime)
    assert await refusal(second_factor.enter(runtime, again, code)) == "code_wrong"
    assert await second_factor.enter(runtime, again, code_now(runtime, seed, 1))


async def test_the_code_that_turned_it_on_signs_nobody_in(runtime):
    account = await member(runtime)
    seed = await seed_of(runtime, account)
    code = code_now(runtime, seed)
    await second_factor.confirm(runtime, account.id, code, CAIO, keep="")

    assert await refusal(second_factor.enter(runtime, await owing(runtime), code)) == "code_wrong"


async def test_a_recovery_code_signs_in_once_in_any_spelling(runtime):
    account, _, codes = await guarded(runtime)

    await second_factor.enter(runtime, await owing(runtime), f" {codes[0].upper().replace('-', ' ')} ")

    assert (await second_factor.standing(runtime, account)).codes_left == 9
    assert await refusal(second_factor.enter(runtime, await owing(runtime), codes[0])) == "code_wrong"
    fresh = await second_factor.fresh_codes(runtime, account.id, CAIO)
    assert await refusal(second_factor.enter(runtime, await owing(runtime), codes[1])) == "code_wrong"
    assert await second_factor.enter(runtime, await owing(runtime), fresh[1])


async def test_the_recovery_code_of_somebody_else_is_worth_nothing(runtime):
    _, _, codes = await guarded(runtime)
    iara = await member(runtime, "iara@example.com")
    seed = await seed_of(runtime, iara)
    await second_factor.confirm(runtime, iara.id, code_now(runtime, seed), Actor("iara@example.com"), keep="")
    owed = await sign_in.sign_in(runtime, "iara@example.com", GOOD, "10.0.0.2")

    assert await refusal(second_factor.enter(runtime, owed.token, codes[0])) == "code_wrong"


async def test_guessing_codes_meets_longer_and_longer_waits_also_over_new_sign_ins(runtime):
    _, seed, _ = await guarded(runtime)
    answers = []
    for _ in range(4):
        owed = await owing(runtime)
        answers += [await refusal(second_factor.enter(runtime, owed, "000000")) for _ in range(2)]

    assert answers == ["code_wrong"] * 6 + ["sign_in_wait"] * 2
    assert await refusal(second_factor.enter(runtime, owed, code_now(runtime, seed))) == "sign_in_wait"
    runtime.clock.advance(1_000)
    assert await second_factor.enter(runtime, owed, code_now(runtime, seed))


async def test_parallel_guesses_are_counted_before_they_are_answered(runtime):
    await guarded(runtime)
    owed = await owing(runtime)

    answers = await asyncio.gather(*(refusal(second_factor.enter(runtime, owed, f"{n:06}")) for n in range(20)))

    assert answers.count("code_wrong") == 6


async def test_a_code_comes_too_late_after_ten_minutes_and_for_somebody_shut_out(runtime):
    account, seed, _ = await guarded(runtime)
    owed = await owing(runtime)
    runtime.clock.advance(10 * MINUTE)
    assert await refusal(second_factor.enter(runtime, owed, code_now(runtime, seed))) == "code_late"
    owed = await owing(runtime)
    await accounts.disable(runtime, account.id, ADMIN)
    assert await refusal(second_factor.enter(runtime, owed, code_now(runtime, seed))) == "code_late"
    assert await refusal(second_factor.enter(runtime, "made up", "000000")) == "code_late"


async def test_it_is_required_of_whom_the_installation_says(runtime):
    caio, livia = await member(runtime), await member(runtime, "livia@example.com", "admin")
    there = [await sign_in.sign_in(runtime, one.email, GOOD, "10.0.0.2") for one in (caio, livia)]

    async def must():
        return [(await sign_in.session(runtime, token)).must_enrol for token in there]

    assert await must() == [False, False]
    await safeguards.change(runtime, ADMIN, Safeguards("admins"))
    assert await must() == [False, True]
    await safeguards.change(runtime, ADMIN, Safeguards("everybody"))
    assert await must() == [True, True]
    assert await refusal(safeguards.change(runtime, ADMIN, Safeguards("some"))) == "choice_unreadable"


async def test_where_it_is_required_nobody_turns_off_their_own_and_an_administrator_does_for_others(runtime):
    account, _, _ = await guarded(runtime)
    await safeguards.change(runtime, ADMIN, Safeguards("everybody"))

    assert await refusal(second_factor.turn_off(runtime, account.id, CAIO, own=True)) == "factor_required"
    await second_factor.turn_off(runtime, account.id, ADMIN, own=False)

    assert isinstance(await sign_in.sign_in(runtime, "caio@example.com", GOOD, "10.0.0.2"), str)
    entries = await runtime.store.read(audit.listed)
    assert ("factor.off", "livia@example.com", "caio@example.com") in [(e.what, e.who, e.subject) for e in entries]


async def test_a_new_password_by_link_does_not_get_around_it(runtime):
    account, _, _ = await guarded(runtime)
    link = await accounts.reset_link(runtime, account.id, ADMIN)
    await accounts.use_link(runtime, link, "outra frase comprida")

    assert isinstance(await sign_in.sign_in(runtime, "caio@example.com", "outra frase comprida", "10.0.0.2"), Owing)
