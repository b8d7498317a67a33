"""Templates as the pages of settings show them: each with its state in words, its text as a customer reads it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.core.flow import Millis
from engine.core.platform_templates import (
    PROPOSED,
    Proposal,
    Template,
    button_titles,
    filled,
    part,
    values_of,
    words,
)
from engine.services.channels import ChannelRecord
from engine.store.templates import Known
from web import template_words
from web.i18n import gettext
from web.words import ago

__all__ = ["LANGUAGES", "ProposalForm", "ShownTemplate", "form_of", "proposal_of", "shown_template"]

LANGUAGES = ("pt_BR", "en_US", "es")
MOST_VALUES = 5
"""Examples that the form asks for; who needs more makes the template at the platform."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownTemplate:
    """One template. `chip` is tone, icon and words of its state, `quality` tone and words."""

    channel_id: int
    channel: str
    name: str
    language: str
    language_code: str
    category: str
    chip: tuple[str, str, str]
    quality: tuple[str, str]
    reason: str
    head: str
    body: str
    footer: str
    buttons: tuple[str, ...]
    values: int
    when: str
    used_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalForm:
    """The form of a new template: what was typed, and what is wrong with it by field."""

    channels: tuple[tuple[int, str], ...]
    typed: Mapping[str, str]
    wrong: Mapping[str, str]
    categories: tuple[tuple[str, str], ...]
    languages: tuple[tuple[str, str], ...]
    values: int = MOST_VALUES
    problem: str = ""


def shown_template(known: Known, channel: str, now: Millis, used_by: Sequence[str] = ()) -> ShownTemplate:
    """A template in the current language."""
    template = known.template
    return ShownTemplate(
        channel_id=known.channel_id,
        channel=channel,
        name=template.name,
        language=template_words.language_name(template.language),
        language_code=template.language,
        category=template_words.category(template.category),
        chip=template_words.status(template.status),
        quality=template_words.quality(template.quality),
        reason=template_words.reason(template.reason),
        head=_head(template),
        body=filled(words(template), _examples(template)),
        footer=words(template, "FOOTER"),
        buttons=button_titles(template),
        values=len(values_of(words(template))),
        when=ago(known.synced_at, now),
        used_by=tuple(used_by),
    )


def _head(template: Template) -> str:
    kind = str(part(template, "HEADER").get("format", "TEXT")).upper()
    if kind == "TEXT":
        return words(template, "HEADER")
    return {
        "IMAGE": gettext("(a picture)"),
        "VIDEO": gettext("(a video)"),
        "DOCUMENT": gettext("(a document)"),
    }.get(kind, f"({kind.lower()})")


def _examples(template: Template) -> Sequence[str]:
    """The values that were handed in as examples; what a customer would read."""
    example = part(template, "BODY").get("example")
    rows = example.get("body_text") if isinstance(example, Mapping) else None
    first = rows[0] if isinstance(rows, list) and rows else []
    return [str(value) for value in first] if isinstance(first, list) else []


def proposal_of(typed: Mapping[str, str]) -> Proposal:
    """What a form asks to hand in."""

    def text(name: str) -> str:
        return typed.get(name, "").strip()

    given = [text(f"example.{n}") for n in range(1, MOST_VALUES + 1)]
    titles = [text(f"button.{n}") for n in range(1, 4)]
    return Proposal(
        name=text("name"),
        language=text("language"),
        category=text("category"),
        body=text("body"),
        footer=text("footer"),
        buttons=tuple(title for title in titles if title),
        examples=tuple(example for example in given if example),
    )


def form_of(
    channels: Sequence[ChannelRecord],
    typed: Mapping[str, str] | None = None,
    wrong: Mapping[str, str] | None = None,
    problem: str = "",
) -> ProposalForm:
    """The form, empty or as it was typed."""
    return ProposalForm(
        channels=tuple((record.id, record.config.name) for record in channels),
        typed={"category": PROPOSED[0], "language": LANGUAGES[0], **(typed or {})},
        wrong=wrong or {},
        categories=tuple((code, template_words.category(code)) for code in PROPOSED),
        languages=tuple((code, template_words.language_name(code)) for code in LANGUAGES),
        problem=problem,
    )
