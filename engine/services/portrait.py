"""What is held of a person, as one file that they can be given (LGPD, art. 18; SEC-S24): JSON, a page to read, their files."""

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from typing import Any

from engine.core.errors import NotFound
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.store import audit, erasing, portrait
from engine.store.connection import Tx

__all__ = ["Portrait", "Words", "archive", "export"]

_MOMENTS = frozenset({"at", "paused_until"})
MISSING = "too large for this file"


@dataclass(frozen=True, slots=True)
class Portrait:
    """`rows` by table, moments in words of ISO 8601 (UTC); `files` by name, None for what was left out."""

    contact_id: int
    rows: Mapping[str, Sequence[Mapping[str, Any]]]
    files: Mapping[str, bytes | None]


@dataclass(frozen=True, slots=True)
class Words:
    """How the page that is read calls things: its title, the tables and the columns by their names."""

    language: str
    title: str
    tables: Mapping[str, str]
    columns: Mapping[str, str]


async def export(runtime: Runtime, contact_id: int, actor: Actor) -> Portrait:
    """Everything that is held of a contact and of all that were merged into it; noted in the audit log. Raises NotFound."""

    def unit(tx: Tx) -> Portrait:
        people = erasing.everybody(tx, contact_id, lock=False)
        if not people:
            raise NotFound("contact", contact_id)
        found = portrait.rows(tx, people, erasing.talks(tx, people, lock=False))
        files = dict(portrait.files(tx, found))
        counts = {name: len(rows) for name, rows in found.items()}
        audit.note(tx, runtime.clock.now(), actor, "contact.exported", subject=str(contact_id), facts={"rows": counts})
        told = {name: [_told(row) for row in rows] for name, rows in found.items()}
        return Portrait(contact_id, told, files)

    return await runtime.store.write(f"contact:{contact_id}", unit)


def archive(found: Portrait, words: Words) -> bytes:
    """One ZIP: `dados.json`, `dados.html`, and the files under `arquivos/`."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as kept:
        kept.writestr("dados.json", json.dumps(_whole(found), ensure_ascii=False, indent=2))
        kept.writestr("dados.html", page(found, words))
        for name, content in found.files.items():
            if content is not None:
                kept.writestr(f"arquivos/{name}", content)
    return out.getvalue()


def page(found: Portrait, words: Words) -> str:
    """The same to read: a heading for each kind of row, and every row as names with values."""
    parts = [
        f'<!doctype html><html lang="{escape(words.language)}"><meta charset="utf-8"><title>{escape(words.title)}</title>',
        "<style>body{font:16px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em}",
        "dl{display:grid;grid-template-columns:14em 1fr;border-top:1px solid #ccc;margin:0;padding:.6em 0}",
        "dt{color:#555}dd{margin:0;overflow-wrap:anywhere;white-space:pre-wrap}</style>",
        f"<h1>{escape(words.title)}</h1>",
    ]
    for name, rows in found.rows.items():
        parts.append(f"<h2>{escape(words.tables.get(name, name))} ({len(rows)})</h2>")
        for row in rows:
            said = [(key, value) for key, value in row.items() if value not in (None, "", [], {})]
            parts.append("<dl>")
            parts += [f"<dt>{escape(words.columns.get(key, key))}<dd>{escape(_shown(value))}" for key, value in said]
            parts.append("</dl>")
    if found.files:
        parts.append(f"<h2>{escape(words.tables.get('files', 'files'))} ({len(found.files)})</h2><ul>")
        for file, content in found.files.items():
            link = (
                f'<a href="arquivos/{escape(file)}">{escape(file)}</a>'
                if content is not None
                else f"{escape(file)}: {MISSING}"
            )
            parts.append(f"<li>{link}")
        parts.append("</ul>")
    return "\n".join(parts)


def _whole(found: Portrait) -> dict[str, object]:
    left_out = [name for name, content in found.files.items() if content is None]
    kept = [name for name, content in found.files.items() if content is not None]
    return {"contact": found.contact_id, "data": found.rows, "files": kept, "files_left_out": left_out}


def _told(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: _moment(value) if _is_moment(key, value) else value for key, value in row.items()}


def _is_moment(key: str, value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and (key in _MOMENTS or key.endswith("_at"))


def _moment(value: int) -> str | None:
    return datetime.fromtimestamp(value / 1_000, UTC).isoformat(timespec="seconds") if value else None


def _shown(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
