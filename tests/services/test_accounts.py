"""People of the team: links, passwords, roles, sign-in and sessions (SEC-S7, SEC-S8, SEC-S10, SEC-S13, SEC-S23)."""

import asyncio

import pytest

from engine.core.errors import NotFound, Refused
from engine.core.flow import HOUR, MINUTE
from engine.core.permissions import Actor, Permission, Role, may
from engine.services import accounts, sign_in, tokens
from engine.store import audit

LIVIA = Actor("livia@example.com", "10.0.0.1")
GOOD = "trem azul na serra"


async def member(runtime, email="caio@example.com", role="supervisor", password=GOOD):
    token = await accounts.invite(runtime, email, role, LIVIA)
    return await accounts.use_link(runtime, token, password)


async def signed_in(runtime, email="caio@example.com", password=GOOD, address="10.0.0.2"):
    return await sign_in.sign_in(runtime, email, password, address)


async def refusal(awaited):
    with pytest.raises(Refused) as caught:
        await awaited
    return caught.value.code


async def test_the_first_admin_names_an_address_and_after_that_there_is_no_such_link(runtime):
    first = await accounts.first_admin_link(runtime)
    second = await accounts.first_admin_link(runtime)
    assert await accounts.invitation(runtime, first) is None
    assert (await accounts.invitation(runtime, second)).purpose == "first_admin"
    assert await refusal(accounts.use_link(runtime, second, GOOD)) == "email_unreadable"
    account = await accounts.use_link(runtime, second, GOOD, email=" Livia@Example.com ", name="Lívia")
    assert (account.email, account.role, account.invited) == ("livia@example.com", "admin", False)
    assert await accounts.first_admin_link(runtime) is None
    assert await refusal(accounts.use_link(runtime, second, GOOD, email="x@example.com")) == "link_unusable"


async def test_an_invitation_holds_for_72_hours_and_once(runtime):
    token = await accounts.invite(runtime, "Caio@example.com", "supervisor", LIVIA)
    asked = await accounts.invitation(runtime, token)
    assert (asked.purpose, asked.email, asked.role) == ("invite", "caio@example.com", "supervisor")
    runtime.clock.advance(72 * HOUR - 1)
    answers = await asyncio.gather(*(accounts.use_link(runtime, token, GOOD) for _ in range(3)), return_exceptions=True)
    assert sorted(type(answer).__name__ for answer in answers) == ["Account", "Refused", "Refused"]
    late = await accounts.invite(runtime, "late@example.com", "marketer", LIVIA)
    runtime.clock.advance(72 * HOUR)
    assert await refusal(accounts.use_link(runtime, late, GOOD)) == "link_unusable"


async def test_only_digests_and_hashes_are_stored(runtime):
    """SEC-S10: a copy of the database signs nobody in."""
    link = await accounts.invite(runtime, "caio@example.com", "supervisor", LIVIA)
    await accounts.use_link(runtime, link, GOOD)
    session = await signed_in(runtime)
    bearer = await tokens.add(runtime, "crm", LIVIA)

    def everything(tx):
        names = ("account", "session", "one_time_link", "api_token", "audit", "attempt")
        return repr([tx.rows(f"SELECT * FROM {name}") for name in names])

    dump = await runtime.store.read(everything)
    assert "$argon2id$" in dump
    for secret in (GOOD, link, session, bearer):
        assert secret not in dump


@pytest.mark.parametrize(
    ("password", "code"),
    [
        ("curta", "password_short"),
        ("x" * 257, "password_long"),
        ("password123456", "password_common"),
        ("Senha1234567!", "password_common"),
        ("p4ssw0rd p4ssw0rd", "password_common"),
        ("aaaaaaaaaaaaab", "password_common"),
        ("123456789012345", "password_common"),
        ("zuleide.moura1", "password_common"),
        ("zuleidemoura@example.com", "password_common"),
        ("Zuleidemoura@example.com2026", "password_common"),
    ],
)
async def test_weak_passwords_are_refused_and_the_link_still_holds(runtime, password, code):
    token = await accounts.invite(runtime, "zuleidemoura@example.com", "marketer", LIVIA)
    assert await refusal(accounts.use_link(runtime, token, password)) == code
    await accounts.use_link(runtime, token, "uma frase longa " * 12)


async def test_roles_and_addresses_that_do_not_exist_are_refused(runtime):
    assert await refusal(accounts.invite(runtime, "a@example.com", "king", LIVIA)) == "role_unknown"
    assert await refusal(accounts.invite(runtime, "not an address", "admin", LIVIA)) == "email_unreadable"
    await accounts.invite(runtime, "a@example.com", "admin", LIVIA)
    assert await refusal(accounts.invite(runtime, "A@example.com", "admin", LIVIA)) == "account_exists"
    with pytest.raises(NotFound):
        await accounts.reset_link(runtime, 999, LIVIA)


async def test_a_session_is_a_new_secret_each_time_and_ends_when_signed_out(runtime):
    await member(runtime)
    first = await signed_in(runtime)
    there = await sign_in.session(runtime, first)
    assert there.account.email == "caio@example.com"
    second = await sign_in.sign_in(runtime, "CAIO@example.com", GOOD, "10.0.0.2", previous=first)
    assert second != first
    assert await sign_in.session(runtime, first) is None
    await sign_in.sign_out(runtime, second)
    assert await sign_in.session(runtime, second) is None
    assert await sign_in.session(runtime, "made up") is None


async def test_a_csrf_token_belongs_to_one_session(runtime):
    """SEC-S13: the token of A with the session of B is refused."""
    await member(runtime)
    one, other = [await sign_in.session(runtime, await signed_in(runtime)) for _ in range(2)]
    assert sign_in.csrf_holds(one, one.csrf)
    assert not sign_in.csrf_holds(one, other.csrf)
    assert not sign_in.csrf_holds(one, "")


async def test_a_session_ends_after_an_idle_hour_and_after_twelve_hours_in_any_case(runtime):
    await member(runtime)
    idle = await signed_in(runtime)
    runtime.clock.advance(HOUR)
    assert await sign_in.session(runtime, idle) is None
    busy = await signed_in(runtime)
    for _ in range(14):
        runtime.clock.advance(50 * MINUTE)
        assert await sign_in.session(runtime, busy) is not None
    runtime.clock.advance(20 * MINUTE)
    assert await sign_in.session(runtime, busy) is None


async def test_sessions_are_listed_and_revoked_by_their_owner_only(runtime):
    caio, iara = await member(runtime), await member(runtime, "iara@example.com", "marketer")
    token = await signed_in(runtime)
    await signed_in(runtime, address="10.0.0.3")
    listed = await sign_in.list_sessions(runtime, caio.id)
    assert {one.address for one in listed} == {"10.0.0.2", "10.0.0.3"}
    own = (await sign_in.session(runtime, token)).digest
    await sign_in.revoke(runtime, iara.id, own)
    assert await sign_in.session(runtime, token) is not None
    await sign_in.revoke(runtime, caio.id, own)
    assert await sign_in.session(runtime, token) is None
    await sign_in.revoke(runtime, caio.id)
    assert await sign_in.list_sessions(runtime, caio.id) == []


async def test_unknown_people_and_wrong_passwords_get_the_same_answer(runtime):
    await member(runtime)
    assert await refusal(signed_in(runtime, password="something else")) == "sign_in_failed"
    assert await refusal(signed_in(runtime, email="nobody@example.com")) == "sign_in_failed"
    assert await refusal(signed_in(runtime, email="")) == "sign_in_failed"


async def attempts(runtime, email, count):
    return [await refusal(signed_in(runtime, email=email, password="wrong")) for _ in range(count)]


@pytest.mark.parametrize("email", ["caio@example.com", "nobody@example.com"])
async def test_guessing_meets_longer_and_longer_waits_whether_the_account_exists_or_not(runtime, email):
    """SEC-S8: the wait gives nothing away; the right person on another address gets in."""
    await member(runtime)
    assert await attempts(runtime, email, 8) == ["sign_in_failed"] * 6 + ["sign_in_wait"] * 2
    with pytest.raises(Refused) as caught:
        await signed_in(runtime, email=email)
    assert caught.value.facts == {"wait": 1_000}
    runtime.clock.advance(1_000)
    assert await attempts(runtime, email, 2) == ["sign_in_failed", "sign_in_wait"]
    runtime.clock.advance(2_000)
    assert await attempts(runtime, email, 2) == ["sign_in_failed", "sign_in_wait"]
    if email == "caio@example.com":
        assert await signed_in(runtime, address="10.9.9.9")
        runtime.clock.advance(4_000)
        assert await signed_in(runtime)
        assert await attempts(runtime, email, 6) == ["sign_in_failed"] * 6


async def test_guesses_in_parallel_are_counted_before_they_are_answered(runtime):
    await member(runtime)
    answers = await asyncio.gather(*(refusal(signed_in(runtime, password=f"guess {n}")) for n in range(20)))
    assert answers.count("sign_in_failed") == 6


async def test_disabled_people_are_out_at_once_and_the_last_admin_stays(runtime):
    caio = await member(runtime, role="admin")
    token = await signed_in(runtime)
    assert await refusal(accounts.disable(runtime, caio.id, LIVIA)) == "last_admin"
    assert await refusal(accounts.change_role(runtime, caio.id, "marketer", LIVIA)) == "last_admin"
    assert await sign_in.session(runtime, token) is not None
    await member(runtime, "livia@example.com", "admin")
    await accounts.disable(runtime, caio.id, LIVIA)
    assert await sign_in.session(runtime, token) is None
    assert await refusal(signed_in(runtime)) == "sign_in_failed"
    await accounts.enable(runtime, caio.id, LIVIA)
    assert await signed_in(runtime)


async def test_a_new_role_or_password_ends_other_sessions(runtime):
    caio = await member(runtime)
    here, elsewhere = await signed_in(runtime), await signed_in(runtime)
    keep = (await sign_in.session(runtime, here)).digest
    new = "outra frase bem comprida"
    assert await refusal(accounts.change_password(runtime, caio.id, LIVIA, old="no", new=new)) == "password_wrong"
    await accounts.change_password(runtime, caio.id, LIVIA, old=GOOD, new=new, keep=keep)
    assert await sign_in.session(runtime, here) is not None
    assert await sign_in.session(runtime, elsewhere) is None
    assert await signed_in(runtime, password=new)
    await accounts.change_role(runtime, caio.id, "marketer", LIVIA)
    assert await sign_in.session(runtime, here) is None
    reset = await accounts.reset_link(runtime, caio.id, LIVIA)
    await accounts.use_link(runtime, reset, GOOD)
    assert await signed_in(runtime)


async def test_a_hash_with_old_parameters_is_replaced_at_sign_in(runtime):
    caio = await member(runtime)
    stronger = type(runtime.passwords)(memory_kib=16, rounds=1)
    old = await stronger.hashed(GOOD)
    await runtime.store.write("k", lambda tx: tx.run("UPDATE account SET password = :old", old=old))
    assert await signed_in(runtime)
    now = await runtime.store.read(lambda tx: tx.value("SELECT password FROM account WHERE id = :id", id=caio.id))
    assert now != old
    assert not runtime.passwords.outdated(now)
    stronger.close()


async def test_what_happens_to_accounts_is_in_the_audit_log_and_its_chain_holds(runtime):
    caio = await member(runtime)
    await signed_in(runtime)
    await refusal(signed_in(runtime, password="wrong"))
    await refusal(signed_in(runtime, email="my password typed in the wrong field"))
    await accounts.change_role(runtime, caio.id, "marketer", LIVIA)
    entries = await runtime.store.read(audit.listed)
    assert [(entry.what, entry.who, entry.subject, entry.address) for entry in reversed(entries)] == [
        ("account.invited", "livia@example.com", "caio@example.com", "10.0.0.1"),
        ("account.password_set", "caio@example.com", "caio@example.com", ""),
        ("session.started", "caio@example.com", "caio@example.com", "10.0.0.2"),
        ("session.refused", "caio@example.com", "caio@example.com", "10.0.0.2"),
        ("session.refused", "?", "", "10.0.0.2"),
        ("account.role_changed", "livia@example.com", "caio@example.com", "10.0.0.1"),
    ]
    assert await runtime.store.read(audit.check) == (6, None)


async def test_bearer_tokens_are_known_until_they_are_revoked(runtime):
    token = await tokens.add(runtime, "crm", LIVIA)
    assert await tokens.add(runtime, "crm", LIVIA, token) == token
    assert await tokens.known(runtime, token) == "crm"
    assert await tokens.known(runtime, "made up") is None
    listed = await tokens.everything(runtime)
    assert [one.name for one in listed] == ["crm"]
    await tokens.revoke(runtime, listed[0].digest, LIVIA)
    assert await tokens.known(runtime, token) is None
    await tokens.add(runtime, "crm", LIVIA, token)
    assert await tokens.known(runtime, token) is None
    with pytest.raises(NotFound):
        await tokens.revoke(runtime, listed[0].digest, LIVIA)


def test_what_each_role_may_do():
    """SEC-S11: whatever is not listed is refused."""
    assert [role.value for role in Role if may(role, Permission.PUBLISH)] == ["publisher", "admin"]
    assert [role.value for role in Role if may(role, Permission.EDIT)] == ["marketer", "publisher", "admin"]
    assert [role.value for role in Role if may(role, Permission.CONVERSE)] == ["supervisor", "publisher", "admin"]
    assert [role.value for role in Role if may(role, Permission.PHONES)] == ["supervisor", "publisher", "admin"]
    assert [role.value for role in Role if may(role, Permission.ADMINISTER)] == ["admin"]
    assert all(may(role, Permission.VIEW) for role in Role)
    assert not any(may(role, permission) for role in ("", "king") for permission in Permission)
