"""Paths of findings as scenario files, for `check --save-paths`."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from engine.cli.answers import Unusable
from engine.core.errors import Refused

if TYPE_CHECKING:
    from engine.core.checks.findings import Finding

__all__ = ["line", "saved"]

_REFUSALS: Mapping[str, Mapping[str, str]] = {
    "pt-BR": {
        "path_event": "nenhum cenário faz {event} acontecer",
        "path_words": "nada do que se diga é entendido como {event}",
        "path_differs": "nenhum momento e nenhum valor serviu para {event} em {state}",
    },
    "en": {
        "path_event": "no scenario can make {event} happen",
        "path_words": "nothing that could be said is understood as {event}",
        "path_differs": "no moment and no value was found for {event} in {state}",
    },
}
_NOT_SAVED = {"pt-BR": "não foi salvo", "en": "not saved"}


def line(row: Mapping[str, str], language: str) -> str:
    """What became of one path, for people."""
    return f"{row['code']}  {row['file'] if 'file' in row else f'{_NOT_SAVED[language]}: ' + row['refused']}"


def saved(
    slug: str, tree: Mapping[str, object], findings: Sequence["Finding"], folder: Path, language: str
) -> list[dict[str, str]]:
    """Write a file for each finding with a path. `file` of a row is where it is, or `refused` why there is none.

    Raises Unusable when the folder cannot be written to.
    """
    from engine.services.scenarios.from_path import scenario_of

    rows = []
    for number, finding in enumerate((f for f in findings if f.path), start=1):
        try:
            scenario = scenario_of(tree, finding)
        except Refused as refused:
            rows.append({"code": finding.code, "refused": _REFUSALS[language][refused.code].format(**refused.facts)})
            continue
        file = folder / f"{slug}-{number}-{finding.code}.json"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(scenario, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        except OSError as error:
            raise Unusable(("", f"The file {file} cannot be written: {error.strerror or error}.")) from None
        rows.append({"code": finding.code, "file": str(file)})
    return rows
