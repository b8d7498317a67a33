"""Letters that cannot leave for a reason of the channel's own: held together, tried one at a time, let go together.

The account is in trouble, a template is switched off, or the platform spares a person from marketing (R27, R36).
"""

from dataclasses import dataclass

from engine.core.flow import DAY, HOUR, MINUTE, Millis
from engine.core.permissions import Actor
from engine.core.windows import Decision, Verdict
from engine.runtime import Runtime
from engine.services.telling import say
from engine.store import audit, holds, journal, outbox
from engine.store.channels import TABLE, set_state
from engine.store.connection import Tx
from engine.store.holds import ACCOUNT, MARKETING, TEMPLATE, Hold
from engine.store.journal import About, Record
from engine.store.outbox import Row

AGAIN = {ACCOUNT: 10 * MINUTE, TEMPLATE: 3 * HOUR}
"""After how long one letter is let through to see how things are; a paused template rests for three hours."""
SPARED = DAY
"""For how long what only the clock wants to say is not sent to a person whom the platform spares (131049)."""
__all__ = [
    "ACCOUNT", "TEMPLATE", "Trouble", "got_through", "hold_account", "hold_template", "let_go", "let_go_by_hand", "probing",
    "spare", "template_off", "troubles", "try_again", "verdict",
]  # fmt: skip

WHO_ACTS = {ACCOUNT: "admin", TEMPLATE: "marketer"}
TROUBLE = "account"
"""The state of a channel whose account is in trouble."""


def hold_account(tx: Tx, now: Millis, row: Row, code: int | None, detail: str | None) -> None:
    """Nothing leaves through the channel until one letter got through, or a person says so."""
    if row.channel_id is not None and _begin(tx, now, row.channel_id, ACCOUNT, "", code, detail):
        set_state(tx, row.channel_id, TROUBLE, now)
        say(tx, now, row, "alert", "account_held", to=WHO_ACTS[ACCOUNT], code=code, detail=detail)


def hold_template(tx: Tx, now: Millis, row: Row, code: int | None, detail: str | None) -> None:
    """No letter with this template leaves until the platform takes it again."""
    subject = holds.template_of(row.payload)
    if row.channel_id is not None and _begin(tx, now, row.channel_id, TEMPLATE, subject, code, detail):
        say(tx, now, row, "alert", "template_held", to=WHO_ACTS[TEMPLATE], template=subject, code=code, detail=detail)


def template_off(tx: Tx, now: Millis, channel_id: int, subject: str, detail: str | None) -> None:
    """The platform tells that it switched a template off."""
    if _begin(tx, now, channel_id, TEMPLATE, subject, None, detail):
        facts = {"template": subject, "to": WHO_ACTS[TEMPLATE], **({} if detail is None else {"detail": detail})}
        _told(tx, now, channel_id, Record(outcome="alert", reason="template_held", facts=facts))


def spare(tx: Tx, now: Millis, row: Row, code: int | None, detail: str | None) -> None:
    """The platform caps marketing to this person: nothing of the kind is tried for a day, and nothing by itself."""
    if row.channel_id is not None:
        until = now + SPARED
        holds.begin(tx, row.channel_id, MARKETING, str(row.contact_id), now, until, code=code, detail=detail)


def verdict(tx: Tx, now: Millis, row: Row, *, as_template: bool) -> Verdict | None:
    """Why a letter must not leave now; None when nothing keeps it, or when it is the one that is let through to see."""
    if row.channel_id is None:
        return None
    subjects = {ACCOUNT: ""}
    if as_template:
        subjects |= {TEMPLATE: holds.template_of(row.payload)}
    if as_template and row.cause == "clock":
        subjects |= {MARKETING: str(row.contact_id)}
    found = holds.of(tx, row.channel_id, subjects)
    for hold in found:
        if hold.what == MARKETING and hold.until is not None and hold.until > now:
            return Verdict(Decision.POSTPONE, hold.reason, hold.until)
        if hold.what != MARKETING and hold.until is not None and row.reason != probing(hold):
            return Verdict(Decision.HOLD, hold.reason)
    for hold in found:
        if hold.what != MARKETING and hold.until is None:
            holds.wait(tx, hold, now + AGAIN[hold.what])
    return None


def probing(hold: Hold) -> str:
    """The reason of the one letter that is let through to see how things are."""
    return f"{hold.what}_probe"


def got_through(tx: Tx, now: Millis, row: Row) -> None:
    """A letter was taken: whatever held its kind back is over."""
    if row.channel_id is None:
        return
    subjects = {ACCOUNT: ""} | ({TEMPLATE: holds.template_of(row.payload)} if row.as_template else {})
    for hold in holds.of(tx, row.channel_id, subjects):
        let_go(tx, now, row.channel_id, hold.what, hold.subject, by="success")


def let_go(tx: Tx, now: Millis, channel_id: int, what: str, subject: str, *, by: str) -> int:
    """End a hold and put what it kept back into the queue again; how many letters that was."""
    if not holds.end(tx, channel_id, what, subject):
        return 0
    if what == ACCOUNT:
        set_state(tx, channel_id, "ok", now)
    count = holds.release(tx, channel_id, what, subject, now) if what in AGAIN else 0
    facts = {"what": what, "by": by, "letters": count} | ({"subject": subject} if what == TEMPLATE else {})
    _told(tx, now, channel_id, Record(outcome="note", reason="hold_over", facts=facts))
    return count


async def let_go_by_hand(runtime: Runtime, channel_id: int, what: str, subject: str, actor: Actor) -> int:
    """A person says that what was in the way is mended; how many letters leave now."""

    def unit(tx: Tx) -> int:
        now = runtime.clock.now()
        count = let_go(tx, now, channel_id, what, subject, by=actor.who)
        facts = {"what": what, "subject": subject, "letters": count}
        audit.note(tx, now, actor, "channel.let_go", subject=str(channel_id), facts=facts)
        return count

    return await runtime.store.write(f"channel:{channel_id}", unit)


def try_again(tx: Tx, now: Millis) -> None:
    """Holds whose moment has come: the oldest letter of each is let through; with none, the next one that comes is."""
    for hold in holds.over(tx, now):
        if hold.what == MARKETING:
            holds.end(tx, hold.channel_id, hold.what, hold.subject)
            continue
        row = holds.oldest(tx, hold)
        if row is not None:
            outbox.settle(tx, row.id, "pending", due_at=now, reason=probing(hold))
        holds.wait(tx, hold, None if row is None else now + AGAIN[hold.what])


def _begin(tx: Tx, now: Millis, channel_id: int, what: str, subject: str, code: int | None, detail: str | None) -> bool:
    return holds.begin(tx, channel_id, what, subject, now, now + AGAIN[what], code=code, detail=detail)


def _told(tx: Tx, now: Millis, channel_id: int, entry: Record) -> None:
    journal.record(tx, now, About(channel_id=channel_id), entry)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """A hold that people should know of. `letters` wait; at `until` one of them is tried, None: the next that comes."""

    channel_id: int
    channel: str
    what: str
    subject: str
    code: int | None
    detail: str | None
    until: Millis | None
    letters: int


async def troubles(runtime: Runtime) -> tuple[Trouble, ...]:
    """Everything that holds letters of a channel in use back, the oldest first."""

    def found(tx: Tx) -> tuple[Trouble, ...]:
        names = {channel.id: channel.name for channel in TABLE.everything(tx)}
        return tuple(
            Trouble(
                channel_id=hold.channel_id,
                channel=names[hold.channel_id],
                what=hold.what,
                subject=hold.subject,
                code=hold.code,
                detail=hold.detail,
                until=hold.until,
                letters=holds.letters(tx, hold),
            )
            for hold in holds.everything(tx)
            if hold.what in AGAIN and hold.channel_id in names
        )

    return await runtime.store.read(found)
