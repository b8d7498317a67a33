"""A code beside the password: setting it up, asking for it at sign-in, and the codes for the day the telephone is lost.

A right password alone begins no session (SEC-S9, SEC-S10). Each code counts once, attempts are slowed down by person.
"""

from base64 import b32encode
from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.core import totp
from engine.core.errors import NotFound, Refused
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.services import attempts, safeguards
from engine.services.accounts import KEY, TOKEN_BYTES, digest
from engine.services.attempts import CODE, Wait
from engine.services.sign_in import begun
from engine.store import accounts, audit, factors, sessions
from engine.store.accounts import Account
from engine.store.connection import Tx

__all__ = ["Standing", "begin", "confirm", "enter", "fresh_codes", "offered", "standing", "turn_off"]

ISSUER = "Trilho"
CODES = 10
CODE_BYTES = 10


@dataclass(frozen=True, slots=True)
class Standing:
    """A person's second factor: whether there is one, whether one is required, and how many recovery codes are left."""

    on: bool
    required: bool
    codes_left: int


@dataclass(frozen=True, slots=True)
class Offered:
    """A seed to be scanned or typed, shown until it is confirmed."""

    address: str = field(repr=False)
    spelled: str = field(repr=False)


async def standing(runtime: Runtime, account: Account) -> Standing:
    """How it is now."""

    def unit(tx: Tx) -> Standing:
        required = safeguards.within(tx).requires_factor(account.role)
        return Standing(account.guarded, required, factors.codes_left(tx, account.id))

    return await runtime.store.read(unit)


async def begin(runtime: Runtime, user_id: int) -> None:
    """Make a seed that waits for its first code; one that waits already stays.

    Raises NotFound, Refused("factor_on") when one is in use.
    """
    fresh = runtime.vault.seal(runtime.ids.hex(totp.SEED_BYTES), _place(user_id))

    def unit(tx: Tx) -> None:
        found = factors.seeds(tx, user_id)
        if found is None:
            raise NotFound("account", user_id)
        if found.totp is not None:
            raise Refused("factor_on")
        if found.totp_pending is None:
            factors.begin(tx, user_id, fresh)

    await runtime.store.write(KEY, unit)


async def offered(runtime: Runtime, user_id: int) -> Offered | None:
    """The seed that waits for its first code, so that a page may be looked at again; None when none does."""

    def unit(tx: Tx) -> Offered | None:
        account, found = accounts.by_id(tx, user_id), factors.seeds(tx, user_id)
        if account is None or found is None or found.totp is not None or found.totp_pending is None:
            return None
        seed = bytes.fromhex(runtime.vault.open(found.totp_pending, _place(user_id)))
        return Offered(totp.address(seed, account.email, ISSUER), totp.spelled(seed))

    return await runtime.store.read(unit)


async def confirm(runtime: Runtime, user_id: int, given: str, actor: Actor, *, keep: str) -> list[str]:
    """The seed is in use from now on, every other session ends (`keep` is the digest of this one); the recovery codes.

    Raises Refused: code_wrong, sign_in_wait, factor_on.
    """
    now, waits = runtime.clock.now(), _waits(user_id)
    codes = _codes(runtime)
    await runtime.store.write(KEY, lambda tx: attempts.counted(tx, waits, now))

    def unit(tx: Tx) -> None:
        found = factors.seeds(tx, user_id)
        if found is None or found.totp is not None or found.totp_pending is None:
            raise Refused("factor_on")
        seed = bytes.fromhex(runtime.vault.open(found.totp_pending, _place(user_id)))
        step = totp.matching_step(seed, given, now, 0)
        if step is None or not factors.confirm(tx, user_id, found.totp_pending, step):
            raise Refused("code_wrong")
        attempts.forget(tx, waits, now)
        factors.replace_codes(tx, user_id, [_digest(code) for code in codes])
        sessions.drop_of(tx, user_id, keep=keep)
        audit.note(tx, now, actor, "factor.on", subject=actor.who)

    await runtime.store.write(KEY, unit)
    return codes


async def fresh_codes(runtime: Runtime, user_id: int, actor: Actor) -> list[str]:
    """New recovery codes; the old ones are void. Raises Refused("factor_off")."""
    codes, now = _codes(runtime), runtime.clock.now()

    def unit(tx: Tx) -> None:
        found = factors.seeds(tx, user_id)
        if found is None or found.totp is None:
            raise Refused("factor_off")
        factors.replace_codes(tx, user_id, [_digest(code) for code in codes])
        audit.note(tx, now, actor, "factor.codes", subject=actor.who)

    await runtime.store.write(KEY, unit)
    return codes


async def turn_off(runtime: Runtime, user_id: int, actor: Actor, *, own: bool) -> None:
    """No second factor any more: one's `own`, or that of somebody who lost theirs, who signs in anew.

    Raises NotFound, Refused("factor_required") for one's own where it is required.
    """
    now = runtime.clock.now()

    def unit(tx: Tx) -> None:
        account = accounts.by_id(tx, user_id)
        if account is None:
            raise NotFound("account", user_id)
        if own and safeguards.within(tx).requires_factor(account.role):
            raise Refused("factor_required")
        if factors.drop(tx, user_id):
            if not own:
                sessions.drop_of(tx, user_id)
            audit.note(tx, now, actor, "factor.off", subject=account.email)

    await runtime.store.write(KEY, unit)


async def enter(runtime: Runtime, owed_token: str, given: str, *, previous: str | None = None) -> str:
    """The token of a new session for a code of the app, or a recovery code.

    Raises Refused: code_late when the password is too long ago, code_wrong, sign_in_wait.
    """
    now, token = runtime.clock.now(), runtime.ids.token(TOKEN_BYTES)

    def counted(tx: Tx) -> int:
        owed = factors.owed(tx, digest(owed_token), now)
        if owed is None:
            raise Refused("code_late")
        attempts.counted(tx, _waits(owed.user_id), now)
        return owed.user_id

    user_id = await runtime.store.write(KEY, counted)

    def unit(tx: Tx) -> bool:
        owed, account = factors.owed(tx, digest(owed_token), now), accounts.by_id(tx, user_id)
        if owed is None or account is None or account.disabled_at is not None:
            raise Refused("code_late")
        actor = Actor(account.email, owed.address)
        how = _right(tx, runtime, user_id, given)
        if how is None:
            audit.note(tx, now, actor, "session.refused", subject=account.email, facts={"why": "code"})
            return False
        factors.finish(tx, owed.digest)
        attempts.forget(tx, _waits(user_id), now)
        if how == "recovery":
            facts = {"left": factors.codes_left(tx, user_id)}
            audit.note(tx, now, actor, "factor.recovery_used", subject=account.email, facts=facts)
        begun(tx, account, token, actor, now, agent=owed.agent, previous=previous)
        return True

    if not await runtime.store.write(KEY, unit):
        raise Refused("code_wrong")
    return token


def _right(tx: Tx, runtime: Runtime, user_id: int, given: str) -> str | None:
    """Use up what was given: a code of the app or a recovery code; None when it is neither."""
    found, now = factors.seeds(tx, user_id), runtime.clock.now()
    if found is None or found.totp is None:
        return None
    seed = bytes.fromhex(runtime.vault.open(found.totp, _place(user_id)))
    step = totp.matching_step(seed, given, now, found.totp_step)
    if step is not None:
        return "app" if factors.use_step(tx, user_id, found.totp, step) else None
    return "recovery" if factors.use_code(tx, user_id, _digest(given), now) else None


def _codes(runtime: Runtime) -> list[str]:
    made = (b32encode(bytes.fromhex(runtime.ids.hex(CODE_BYTES))).decode().lower() for _ in range(CODES))
    return ["-".join(code[at : at + 4] for at in range(0, len(code), 4)) for code in made]


def _digest(code: str) -> str:
    return digest("".join(letter for letter in code.casefold() if letter.isalnum()))


def _place(user_id: int) -> str:
    return f"account/{user_id}/totp"


def _waits(user_id: int) -> Mapping[str, Wait]:
    return attempts.keys({f"code\0{user_id}": CODE})
