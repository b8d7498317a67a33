"""A conversation's transcript and its bar as the templates show them: bubbles, moves, deadlines, who answers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine.core.flow import DAY, Look
from engine.services.live_cards import LATE_AFTER, has_window
from engine.services.transcript import Page
from engine.services.transcript_lines import Line
from web.desk_words import brief, day, media, moment_of, reason, who
from web.file_words import ShownFile, shown
from web.i18n import gettext
from web.log_words import Told, action_label, told
from web.words import clock

__all__ = ["UNDECIDED", "Bar", "Bubble", "Sign", "bar", "bubbles", "fate", "look_of"]

UNDECIDED = ("failed", "review", "uncertain")
"""Letters about which a person may say what becomes of them."""
UNSENT = ("suppressed", "cancelled", "held")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bubble:
    """One line of the chat. `kind`: day, lead, bot, hum, move, note or team. `fate` is why a letter is not simply sent;
    `own` the number of a file of ours and `look` whether it is shown as a picture or a sound; `asks` that a person
    decides about it.
    """

    kind: str
    text: str = ""
    when: str = ""
    ref: str = ""
    who: str = ""
    ticks: str = ""
    ticks_said: str = ""
    medium: str = ""
    off: bool = False
    failed: bool = False
    fate: str = ""
    struck: bool = False
    edited: bool = False
    file: ShownFile | None = None
    told: Told | None = None
    own: int | None = None
    look: str = ""
    asks: bool = False
    empty: bool = False
    """What it said is not kept any more."""


@dataclass(frozen=True, slots=True)
class Sign:
    """One fact of the bar: its tone, its icon ("ring" for a ring) and its words."""

    tone: str
    icon: str
    text: str
    percent: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """What the head of a conversation says. `locked` is why no free text may leave, "" when it may."""

    signs: tuple[Sign, ...]
    answers: str
    paused: bool
    locked: str


def look_of(page: Page, state: str) -> Look:
    """How a state is drawn; one that this version does not have waits for a person."""
    known = page.flow.states.get(state)
    return known.look if known is not None else Look.HUMAN


def bubbles(page: Page) -> Iterator[Bubble]:
    """The transcript, with the days between."""
    letters = {f"out-{letter['id']}": letter for letter in page.letters}
    entries = {f"log-{entry.id}": entry for entry in page.entries}
    before = ""
    for line in page.lines:
        heading = day(line.at, page.now, page.flow.timezone)
        entry = entries.get(line.ref)
        if line.kind == "note" and entry is not None and entry.facts.get("outbox"):
            continue  # the letter itself says it
        if heading != before:
            before = heading
            yield Bubble(kind="day", text=heading)
        if entry is not None:
            kind = "move" if line.kind == "moved" else "note"
            yield Bubble(kind=kind, ref=line.ref, when=_at(page, line), told=told(entry, page.flow, page.now))
        elif line.kind == "in":
            yield _arrived(page, line)
        elif line.kind == "team":
            words = line.text or ""
            yield Bubble(kind="team", text=words, when=_at(page, line), ref=line.ref, who=who(line.author))
        else:
            yield _left(page, line, letters[line.ref])


def _arrived(page: Page, line: Line) -> Bubble:
    fate = gettext("Not answered: %(why)s") % {"why": reason(line.reason)} if line.status == "ignored" else ""
    file = None if line.file is None else shown(line.file)
    return Bubble(
        kind="lead",
        text="" if file is not None and file.words else line.text or "",
        when=_at(page, line),
        ref=line.ref,
        medium="" if file is not None and file.look else media(line.medium),
        fate=fate,
        struck=line.deleted,
        edited=line.edited,
        file=file,
        empty=line.faded,
    )


def _left(page: Page, line: Line, letter: Mapping[str, Any]) -> Bubble:
    kind = "bot" if line.author is None else "hum"
    name = action_label(page.flow, line.action) if line.author is None else who(line.author)
    ticks, said = _ticks(letter)
    return Bubble(
        kind=kind,
        text=line.text or "",
        when=_at(page, line),
        ref=line.ref,
        who=f"{name} · {gettext('template')}" if line.template else name,
        ticks=ticks,
        ticks_said=said,
        medium="" if line.own else media(line.medium),
        own=line.own,
        look={"image": "picture", "audio": "sound"}.get(line.medium or "", ""),
        asks=letter["status"] in UNDECIDED,
        empty=line.faded,
        off=letter["status"] in UNSENT,
        failed=letter["status"] in ("failed", "review"),
        fate=fate(page, letter),
    )


def fate(page: Page, letter: Mapping[str, Any]) -> str:
    """What became of a letter that did not simply leave, as a sentence; "" for one that did."""
    why = reason(letter["reason"])
    values = {"why": why, "n": letter["attempt"], "when": moment_of(letter["due_at"], page.now, page.flow.timezone)}
    match letter["status"]:
        case "pending" if letter["due_at"] > page.now:
            if letter["reason"] == "retry":
                return gettext("Not sent yet, attempt %(n)s: again at %(when)s") % values
            return gettext("Leaves at %(when)s: %(why)s") % values if why else gettext("Leaves at %(when)s") % values
        case "pending":
            return gettext("In the send queue")
        case "sending":
            return gettext("On its way")
        case "held":
            return gettext("Held back: %(why)s") % values
        case "suppressed" | "cancelled":
            return gettext("Not sent: %(why)s") % values
        case "failed":
            return gettext("Not sent: %(why)s") % values
        case "uncertain":
            return gettext("Nobody knows yet whether it arrived: %(why)s. Waiting for news.") % values
        case "review":
            return gettext("Nobody knows whether it arrived: %(why)s. You decide.") % values
    return ""


def _ticks(letter: Mapping[str, Any]) -> tuple[str, str]:
    if letter["status"] != "sent":
        return "", ""
    match letter["delivery"]:
        case "read" | "played":
            return "✓✓", gettext("read")
        case "delivered":
            return "✓✓", gettext("delivered")
    return "✓", gettext("sent")


def _at(page: Page, line: Line) -> str:
    return clock(line.at, page.flow.timezone)


def bar(page: Page) -> Bar:
    """The head of a conversation in words."""
    signs = []
    locked = ""
    left = page.window_closes_at - page.now
    if has_window(page.channel_kind) and page.window_open:
        words = gettext("24 h window open: %(time)s left") % {"time": brief(left)}
        signs.append(Sign("io m", "ring", words, max(0, min(100, 100 * left // DAY))))
    elif has_window(page.channel_kind):
        locked = gettext("24 h window closed %(time)s ago") % {"time": brief(-left)}
        signs.append(Sign("ie m", "lock", locked))
    signs.append(_silence(page))
    if page.opted_out_at is not None:
        signs.append(Sign("iw m", "ban", gettext("asked for no more messages")))
    paused = page.paused_until is not None
    answers = gettext("the bot answers")
    if page.paused_until is not None:
        until = moment_of(page.paused_until, page.now, page.flow.timezone)
        values = {"who": who(page.paused_by), "when": until, "time": brief(page.paused_until - page.now)}
        answers = gettext("%(who)s answers until %(when)s (%(time)s left)") % values
    signs.append(Sign("iw m" if paused else "soft", "user" if paused else "bot", answers))
    return Bar(signs=tuple(signs), answers=answers, paused=paused, locked=locked)


def _silence(page: Page) -> Sign:
    if page.deadline_at is None:
        return Sign("soft", "clock", gettext("no silence deadline here"))
    if page.paused_until is not None:
        return Sign("iw m", "pause", gettext("clock stopped"))
    left = page.deadline_at - page.now
    if left <= -LATE_AFTER:
        return Sign("ie m", "clock", gettext("late %(time)s") % {"time": brief(-left)})
    values = {"when": moment_of(page.deadline_at, page.now, page.flow.timezone), "time": brief(left)}
    return Sign("soft", "clock", gettext("silence ends %(when)s (in %(time)s)") % values)
