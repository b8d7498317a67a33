"""Findings as a Markdown summary, the kind that GitHub shows for a step of a workflow."""

import re
from collections.abc import Iterable, Mapping, Sequence

from engine.cli.findings import tally
from engine.core.checks.examples import example
from engine.core.checks.findings import Finding, Severity
from engine.core.checks.sentences import fix_label, sentence
from engine.core.flow import Flow

__all__ = ["summary"]

_SIGNS = {Severity.ERROR: "❌", Severity.WARNING: "⚠️", Severity.INFO: "💡"}
_HEADINGS = {
    "pt-BR": ("", "Código", "O que foi encontrado", "Onde", "Exemplo", "Caminho", "Conserto"),
    "en": ("", "Code", "What was found", "Where", "Example", "Path", "Fix"),
}
_SPECIAL = re.compile(r"[\\`*_{}\[\]<>()#+\-.!|~&$@:]")


def summary(flow: Flow, findings: Sequence[Finding], language: str) -> str:
    """A heading, the counts, and a table with a row for each finding; no table where there is none."""
    told = [f"## Trilho: {_plain(flow.slug)}", "", _plain(tally(flow, findings, language))]
    if findings:
        headings = _HEADINGS[language]
        told += ["", _row(headings), _row("---" for _ in headings)]
        told += [_row(_cells(finding, language)) for finding in findings]
    return "\n".join(told)


def _cells(finding: Finding, language: str) -> Iterable[str]:
    where = finding.where
    place = " · ".join(filter(None, (where.state, where.event, ", ".join(where.transitions))))
    steps = [f"{number}. {_step(step)}" for number, step in enumerate(finding.path or (), start=1)]
    fixes = [fix_label(fix, language) for fix in finding.fixes]
    yield _SIGNS[finding.severity]
    for text in (finding.code, sentence(finding, language), place, example(finding.witness or {}, language)):
        yield _plain(text)
    for lines in (steps, fixes):
        yield "<br>".join(_plain(line) for line in lines)


def _step(step: Mapping[str, object]) -> str:
    """`NOVO, msg_recebida → ENGAJADO, boas_vindas`."""
    done = step.get("do")
    does = [str(name) for name in done] if isinstance(done, list | tuple) else []
    came = ", ".join(str(step[key]) for key in ("from", "event") if step.get(key))
    return ", ".join(filter(None, (" → ".join(filter(None, (came, str(step.get("to") or "")))), *does)))


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _plain(text: str) -> str:
    """Words that Markdown leaves as they are, on one line: a flow's names and texts are its author's."""
    return _SPECIAL.sub(lambda sign: f"&#{ord(sign[0])};", " ".join(text.split()))
