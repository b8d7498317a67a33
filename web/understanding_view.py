"""Everything that the page of the understanding reads, in the reader's language."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.core.flow import Millis
from engine.core.trying import Trial
from engine.services.draft_standing import Standing
from engine.services.edit import Opened
from engine.services.review_texts import Unclear
from web import i18n
from web.flow_words import event_label
from web.i18n import gettext, ngettext
from web.understanding_pages import ShownRule, ShownTrial, message_events, rules, shown_trial
from web.words import ago, number

__all__ = ["Problem", "ShownText", "Understanding", "understanding"]

SECTIONS = ("understanding", "events")
LONGEST = 200
"""Characters of a text that are offered as a phrase."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What was typed into a field (by its key) and why it was not taken."""

    key: str
    text: str
    typed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownText:
    """A text to review; `phrase` is what is offered as the phrase to teach."""

    digest: str
    text: str
    note: str
    phrase: str
    conversation: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Understanding:
    """What the templates read. `ruleless` are the message events without a rule, `live` is what holds now."""

    slug: str
    title: str
    revision: int
    live: int | None
    changed: bool
    rules: tuple[ShownRule, ...]
    general: str
    events: tuple[tuple[str, str], ...]
    ruleless: tuple[tuple[str, str], ...]
    text: str
    trial: ShownTrial | None
    texts: tuple[ShownText, ...]
    more: bool
    problem: Problem

    def problem_at(self, key: str) -> str:
        """Why what was typed into a field was not taken, "" where it was."""
        return self.problem.text if self.problem.key == key else ""


def understanding(
    opened: Opened,
    standing: Standing,
    *,
    text: str,
    trial: Trial | None,
    texts: Sequence[Unclear],
    more: bool,
    now: Millis,
    problem: Problem | None,
) -> Understanding:
    """The page of one flow."""
    flow = opened.flow
    won_at = trial.proposal.rule_index if trial is not None else None
    shown = rules(flow, gettext("matched in the test"), won_at)
    ruled = {rule.event for rule in shown}
    events = message_events(flow)
    return Understanding(
        slug=opened.draft.slug,
        title=flow.title.within(i18n.current()),
        revision=opened.revision,
        live=standing.live,
        changed=any(section in standing.changed for section in SECTIONS),
        rules=shown,
        general=event_label(flow, flow.general_message),
        events=events,
        ruleless=tuple((name, label) for name, label in events if name not in ruled),
        text=text,
        trial=shown_trial(flow, trial) if trial is not None else None,
        texts=tuple(_text(one, now) for one in texts),
        more=more,
        problem=problem or Problem("", ""),
    )


def _text(one: Unclear, now: Millis) -> ShownText:
    came = ngettext("came %(num)s time", "came %(num)s times", one.times) % {"num": number(one.times)}
    return ShownText(
        digest=one.digest,
        text=one.text,
        note=f"{came} · {ago(one.last_at, now)}",
        phrase=" ".join(one.text.lower().split())[:LONGEST],
        conversation=one.conversation_id,
    )
