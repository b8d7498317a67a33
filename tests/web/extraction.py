"""Finds every message of the templates and of web/, and can add the missing ones to the catalogues.

`python -m tests.web.extraction` adds what is new (English filled in, Portuguese left empty) and drops what is gone.
"""

from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parent.parent.parent
LOCALES = ROOT / "web" / "locales"
KEYWORDS = {"_": None, "gettext": None, "ngettext": (1, 2)}
JINJA = {"trimmed": "false", "newstyle_gettext": "true"}
PLURALS = {"pt_BR": "nplurals=2; plural=(n != 1);", "en": "nplurals=2; plural=(n != 1);"}
HEADER = """msgid ""
msgstr ""
"Language: {locale}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: {plurals}\\n"

"""


def found() -> dict[str, str | tuple[str, str]]:
    """Message id to the message, or to its singular and plural."""
    messages: dict[str, str | tuple[str, str]] = {}
    for method, paths in (
        ("jinja2.ext:babel_extract", sorted((ROOT / "templates").rglob("*.html"))),
        ("python", sorted((ROOT / "web").rglob("*.py"))),
    ):
        for path in paths:
            options = JINJA if "jinja2" in method else {}
            source = BytesIO(path.read_bytes())
            for _, message, _, _ in extract(method, source, keywords=KEYWORDS, options=options):
                texts = tuple(text for text in message if text) if isinstance(message, tuple) else (message,)
                messages[texts[0]] = (texts[0], texts[1]) if len(texts) > 1 else texts[0]
    return messages


def catalogue(locale: str) -> Catalog:
    path = LOCALES / locale / "LC_MESSAGES" / "trilho.po"
    with path.open("rb") as source:
        return read_po(source, locale=locale)


def update(locale: str) -> list[str]:
    """Write the catalogue again with exactly the messages in use; the ids without a translation."""
    path = LOCALES / locale / "LC_MESSAGES" / "trilho.po"
    old = catalogue(locale) if path.exists() else Catalog(locale=locale)
    fresh = Catalog(locale=locale, fuzzy=False)
    fresh.mime_headers = [("Plural-Forms", PLURALS[locale])]
    missing = []
    for key, message in sorted(found().items()):
        known = old.get(key)
        plural = isinstance(message, tuple)
        text = known.string if known is not None and known.pluralizable == plural else None
        if not text or (plural and not all(text)):
            text = message if locale == "en" else (("", "") if plural else "")
            if locale != "en":
                missing.append(key)
        fresh.add(message, text)
    with path.open("wb") as target:
        target.write(HEADER.format(locale=locale, plurals=PLURALS[locale]).encode())
        write_po(target, fresh, width=120, no_location=True, omit_header=True, sort_output=True)
    return missing


if __name__ == "__main__":
    for each in PLURALS:
        for key in update(each):
            print(f"{each}: {key!r}")
