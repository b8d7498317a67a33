"""W3: templates that the platform would take when they are needed. Asked only where templates are known."""

from collections.abc import Iterator, Mapping

from engine.core.actions import Media, Send
from engine.core.actions import Template as Asked
from engine.core.checks.findings import Finding, Where
from engine.core.checks.sentences import finding
from engine.core.flow import Flow
from engine.core.platform_templates import APPROVED, DELETED, Template, head_wanted, numbered, wanted


def check_templates(flow: Flow, known: Mapping[tuple[str, str], Template]) -> Iterator[Finding]:
    """Findings on the templates of every send; `known` are those of a channel that the flow speaks through."""
    for action in flow.actions.values():
        if not isinstance(action, Send) or action.template is None:
            continue
        asked = action.template
        arrows = tuple(sorted(t.id for t in flow.arrows.values() if action.id in t.do))
        where, name, language = Where(None, None, arrows), asked.name, asked.language
        there = known.get((name, language))
        if there is None or there.status == DELETED:
            yield finding("W3", where, action=action.id, name=name, language=language)
        elif (status := there.status) != APPROVED:
            yield finding("W3", where, action=action.id, name=name, language=language, status=status, variant="status")
        elif not numbered(there) or head_wanted(there) != _head_given(asked):
            yield finding("W3", where, action=action.id, name=name, language=language, variant="shape")
        elif (wants := wanted(there)) != (given := len(asked.params)):
            yield finding(
                "W3",
                where,
                action=action.id,
                name=name,
                language=language,
                given=given,
                wanted=wants,
                variant="values",
            )


def _head_given(asked: Asked) -> str:
    if asked.header is None:
        return ""
    return asked.header.kind if isinstance(asked.header, Media) else "text"
