"""`trilho diff`: what changed between two flows, in the document and in what happens."""

from typing import TYPE_CHECKING

import click

from engine.cli.answers import Unusable, as_json, language, say, say_json
from engine.cli.reading import flow_meant

if TYPE_CHECKING:
    from engine.services.flow_source import Found

_WORDS = {
    "pt-BR": {
        "same": "{a} e {b} são o mesmo fluxo.",
        "document": "No documento:",
        "behaviour": "No que acontece:",
        "nothing": "    nada muda: em todo caso acontece o mesmo que antes",
        "tally": "Mudanças no documento: {changes}; no que acontece: {shown}; sem prova: {doubts}.",
    },
    "en": {
        "same": "{a} and {b} are the same flow.",
        "document": "In the document:",
        "behaviour": "In what happens:",
        "nothing": "    nothing changes: in every case the same happens as before",
        "tally": "Changes in the document: {changes}; in what happens: {shown}; not proved: {doubts}.",
    },
}


@click.command(short_help="What changed between two flows.")
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@language
@as_json
def diff(a: str, b: str, language: str, json_: bool) -> None:
    """Tell what changed from the flow A to the flow B: each a file (JSON or YAML), SLUG@N of the database, or SLUG.

    First what is written otherwise, then what happens otherwise: for which event, in which states, with values for
    which both versions were run. What is neither proved to be the same nor shown to differ is told as such. The exit
    code is 0 whether or not something changed. Needs no database and creates nothing.
    """
    from engine.cli.change_lines import change_line
    from engine.cli.findings import as_document, lines
    from engine.core.changes import changes
    from engine.core.differing.compare import compare
    from engine.core.differing.findings import differences

    one, other = _meant(a, language), _meant(b, language)
    changed = changes(one.tree, other.tree)
    found = differences(compare(one.flow, other.flow))
    doubts = sum(finding.facts.get("variant") == "unknown" for finding in found)
    if json_:
        sides = ({"flow": side.flow.slug, "sha256": side.flow.sha256} for side in (one, other))
        told = [
            {"section": c.section, "name": c.name, "kind": c.kind, "fields": list(c.fields)}
            | {"message": change_line(one.flow, other.flow, c, language)}
            for c in changed
        ]
        behaviour = [as_document(finding, language) for finding in found]
        same = one.flow.sha256 == other.flow.sha256
        say_json(
            dict(zip("ab", sides, strict=True))
            | {"same": same, "changes": told, "behaviour": behaviour}
            | {"stats": {"changes": len(told), "behaviour": len(found) - doubts, "unknown": doubts}}
        )
        return
    words = _WORDS[language]
    if one.flow.sha256 == other.flow.sha256:
        say(words["same"].format(a=a, b=b))
        return
    say(words["document"])
    for change in changed:
        say(f"    {change_line(one.flow, other.flow, change, language)}")
    say(words["behaviour"])
    for finding in found:
        for line in lines(finding, language):
            say(f"    {line}")
    if not found:
        say(words["nothing"])
    say(words["tally"].format(changes=len(changed), shown=len(found) - doubts, doubts=doubts))


def _meant(name: str, language: str) -> "Found":
    """The flow; mistakes say in which of the two they are."""
    try:
        return flow_meant(name, language)
    except Unusable as error:
        raise Unusable(*((f"{name}: {place}" if place else name, said) for place, said in error.mistakes)) from None
