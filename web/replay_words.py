"""A replay in words: counts first, then each decision that would differ (R62)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.core import sentences
from engine.core.flow import Flow
from engine.services.replay_jobs import Job
from web import i18n
from web.desk_words import called
from web.i18n import gettext
from web.log_words import action_label, event_label
from web.words import duration, moment

__all__ = ["Progress", "Told", "progress"]

MOST = 100
"""Lines of one page; the counts are of all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One decision: whose, when, where, because of what, what happened and what would."""

    conversation: int
    name: str
    when: str
    state: str
    event: str
    was: str
    now: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a replay is, or what it found. `percent` is of its conversations."""

    id: str
    going: bool
    stopped: bool
    stale: bool
    done: int
    total: int
    counts: tuple[tuple[int, str, str], ...] = ()
    rows: tuple[Told, ...] = ()
    more: int = 0

    @property
    def percent(self) -> int:
        """From 0 to 100."""
        return 100 * self.done // self.total if self.total else 0


def progress(
    job: Job,
    new: Flow,
    old: Mapping[int, Flow],
    people: Mapping[int, tuple[str | None, str | None]],
    *,
    stopped: bool,
    phones: bool,
) -> Progress:
    """A job for a page. `old` are the versions that decided, `people` name and phone by conversation, which are shown as
    the reader's role allows.
    """
    found = job.result
    rows: list[Mapping[str, Any]] = list(found.get("differences", ()))[:MOST]
    return Progress(
        id=job.id,
        going=job.status == "going" and not stopped,
        stopped=stopped,
        stale=job.sha256 != new.sha256,
        done=job.done,
        total=job.total,
        counts=_counts(found) if job.status == "done" else (),
        rows=tuple(_told(row, new, old, people, phones=phones) for row in rows),
        more=found.get("differing", 0) - len(rows),
    )


def _counts(found: Mapping[str, Any]) -> tuple[tuple[int, str, str], ...]:
    same = found["decisions"] - found["differing"] - found["unclear"]
    return (
        (found["conversations"], "", gettext("conversations")),
        (same, "io", gettext("decisions stay the same")),
        (found["differing"], "ii", gettext("decisions would differ")),
        (found["people"], "", gettext("conversations with a difference")),
        (found["unclear"], "", gettext("cannot be repeated")),
    )


def _told(
    row: Mapping[str, Any],
    new: Flow,
    old: Mapping[int, Flow],
    people: Mapping[int, tuple[str | None, str | None]],
    *,
    phones: bool,
) -> Told:
    before = old[row["version"]]
    name, phone = people.get(row["conversation"], (None, None))
    return Told(
        conversation=row["conversation"],
        name=called(name, phone, whole=phones),
        when=moment(row["at"], new.timezone),
        state=row["state"],
        event=event_label(before, row["was"]["event"], row["state"]),
        was=_said(row["was"], before, row),
        now=_said(row["now"], new, row),
    )


def _said(made: Mapping[str, Any], flow: Flow, row: Mapping[str, Any]) -> str:
    state, what = row["state"], row["what"]
    if made["outcome"] == "moved":
        stays = made["to"] == state
        text = (gettext("stays in %(state)s") if stays else gettext("goes to %(state)s")) % {"state": made["to"]}
        doing = ", ".join(action_label(flow, name) for name in made["actions"])
        if doing:
            text += f" → {doing}"
        if "wait" in what:
            wait = made["wait"]
            text += " · " + (
                gettext("deadline %(deadline)s") % {"deadline": duration(wait)}
                if wait is not None
                else gettext("no deadline")
            )
        if "written" in what:
            text += " · " + gettext("writes other values")
    else:
        text = {
            "gone": gettext("the state does not exist"),
            "no_transition": gettext("no arrow: recorded and ignored"),
            "ignored": gettext("ignored on purpose"),
            "ambiguous": gettext("two arrows could fire"),
        }[made["outcome"]]
    if made["event"] != row["was"]["event"]:
        understood = sentences.event_name(flow, made["event"], flow.states.get(state), i18n.current())
        text += " " + gettext("(understood as “%(event)s”)") % {"event": understood}
    return text
