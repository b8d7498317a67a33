"""Findings as JSON and as lines for people, the same for `check` and for `flow publish`."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.core.checks.findings import Finding, Severity
from engine.core.checks.sentences import fix_label, sentence
from engine.core.flow import Flow

__all__ = ["as_document", "lines", "statistics", "tally"]

_SEVERITIES = {
    "pt-BR": {Severity.ERROR: "erro", Severity.WARNING: "aviso", Severity.INFO: "nota"},
    "en": {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"},
}
_WORDS = {
    "pt-BR": {
        "place": "onde",
        "example": "exemplo",
        "path": "caminho",
        "fix": "conserto",
        "unset": "sem valor",
        "does": "faz",
        "with": "com",
        "stays": "nada muda",
    },
    "en": {
        "place": "where",
        "example": "example",
        "path": "path",
        "fix": "fix",
        "unset": "not set",
        "does": "does",
        "with": "with",
        "stays": "nothing moves",
    },
}
_TALLIES = {
    "pt-BR": ("Nada encontrado em {slug}.", "{slug}: {errors} erros, {warnings} avisos, {infos} notas."),
    "en": ("Nothing found in {slug}.", "{slug}: {errors} errors, {warnings} warnings, {infos} notes."),
}


def as_document(finding: Finding, language: str) -> dict[str, Any]:
    """The finding as the JSON answers hold it."""
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "where": {
            "state": finding.where.state,
            "event": finding.where.event,
            "transitions": list(finding.where.transitions),
        },
        "message": sentence(finding, language),
        "facts": dict(finding.facts),
        "witness": None if finding.witness is None else dict(finding.witness),
        "path": None if finding.path is None else [dict(step) for step in finding.path],
        "fixes": [{"label": fix_label(fix, language), "edit": dict(fix.edit)} for fix in finding.fixes],
    }


def lines(finding: Finding, language: str) -> list[str]:
    """The finding for people: its sentence, then indented the place, the values that were tried, the way there, fixes."""
    words, where = _WORDS[language], finding.where
    told = [f"{_SEVERITIES[language][finding.severity]} {finding.code}  {sentence(finding, language)}"]
    place = " · ".join(filter(None, (where.state, where.event, ", ".join(where.transitions))))
    if place:
        told.append(f"    {words['place']}: {place}")
    if finding.witness:
        values = ", ".join(f"{name} = {_value(value, words)}" for name, value in sorted(finding.witness.items()))
        told.append(f"    {words['example']}: {values}")
    for number, step in enumerate(finding.path or (), start=1):
        told.append(f"    {words['path']} {number}. {_step(step, words)}")
    told += [f"    {words['fix']}: {fix_label(fix, language)}" for fix in finding.fixes]
    return told


def tally(flow: Flow, findings: Sequence[Finding], language: str) -> str:
    """The last line: how many of each."""
    nothing, some = _TALLIES[language]
    return (some if findings else nothing).format(slug=flow.slug, **_counts(findings))


def statistics(flow: Flow, findings: Iterable[Finding]) -> dict[str, int]:
    """How large the flow is and how much was found."""
    return {
        "states": len(flow.states),
        "events": len(flow.events),
        "transitions": len(flow.arrows),
        "actions": len(flow.actions),
        "fields": len(flow.context),
        **_counts(findings),
    }


def _counts(findings: Iterable[Finding]) -> dict[str, int]:
    found = [finding.severity for finding in findings]
    return {f"{severity.value}s": found.count(severity) for severity in Severity}


def _value(value: object, words: Mapping[str, str]) -> str:
    if value is None:
        return words["unset"]
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(list(value)) if isinstance(value, tuple) else str(value)


def _step(step: Mapping[str, Any], words: Mapping[str, str]) -> str:
    """One step of a run: `NOVO, msg_recebida → ENGAJADO, faz boas_vindas, com toques = 2`."""
    went = step["to"] if step["transition"] is not None else f"{step['to']} ({words['stays']})"
    told = [f"{step['from']}, {step['event']} → {went}"]
    if step["do"]:
        told.append(f"{words['does']} {', '.join(step['do'])}")
    if step["values"]:
        values = ", ".join(f"{name} = {_value(value, words)}" for name, value in step["values"].items())
        told.append(f"{words['with']} {values}")
    return ", ".join(told)
