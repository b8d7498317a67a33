"""The safety rules of a draft as sentences, each with what the checks say of it, and those that it would do well to have."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from engine.core.document_rules import kind_of
from engine.core.flow import Flow, Rule
from engine.core.recommended_rules import recommended
from engine.core.rule_sentences import rule_sentence
from web import i18n
from web.findings import Shown
from web.i18n import gettext

__all__ = ["GOING", "PROVED", "RuleRow", "RulesView", "rule_words", "rules_view"]

PROVED, GOING = "proved", "going"


@dataclass(frozen=True, slots=True)
class RuleRow:
    """One rule. `verdict` is proved, violated, unknown or going; `seen` the rule as JSON."""

    number: int
    sentence: str
    verdict: str
    finding: Shown | None
    seen: str


@dataclass(frozen=True, slots=True)
class Offer:
    """A rule that the flow lacks: its sentence, and the rule as JSON."""

    sentence: str
    rule: str


@dataclass(frozen=True, slots=True)
class RulesView:
    """What the page of rules shows."""

    rows: tuple[RuleRow, ...]
    offers: tuple[Offer, ...]


def rules_view(flow: Flow, tree: Mapping[str, object], findings: Iterable[Shown], *, going: bool = False) -> RulesView:
    """The rules in the order of the document. The checks tell of every rule that is not proved, so the rest are, unless
    the proofs are still `going`.
    """
    broken = {finding.rule: finding for finding in findings if finding.rule is not None}
    written = tree.get("rules")
    rows = [
        RuleRow(
            number=number,
            sentence=rule_sentence(flow, rule, i18n.current()),
            verdict=broken[number].verdict if number in broken else GOING if going else PROVED,
            finding=_inside(broken.get(number)),
            seen=json.dumps(written[number] if isinstance(written, list) else rule.body, ensure_ascii=False),
        )
        for number, rule in enumerate(flow.rules)
    ]
    offers = [Offer(rule_words(flow, row), json.dumps(row, ensure_ascii=False)) for row in recommended(flow)]
    return RulesView(tuple(rows), tuple(offers))


def _inside(finding: Shown | None) -> Shown | None:
    """A finding as it is told beside its own rule, which it need not point to."""
    return replace(finding, places=tuple(p for p in finding.places if "sel=r:" not in p.href)) if finding else None


def rule_words(flow: Flow, row: object) -> str:
    """A rule as the document has it in words; what is none as it is written, and nothing for none."""
    if row is None:
        return gettext("nothing")
    kind = kind_of(row)
    if kind is None or not isinstance(row, Mapping):
        return json.dumps(row, ensure_ascii=False)
    return rule_sentence(flow, Rule(kind, row), i18n.current())
