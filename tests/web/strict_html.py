"""Reads a page strictly and tells of everything in it that words of people made and that is not text."""

from html.parser import HTMLParser

MARK = "xevil"
"""Stands in each string of the corpus where it would become an element, an attribute, an address or a program."""
LEADING = {"href", "src", "action", "formaction", "data", "poster", "xlink:href", "ping", "background", "srcset", "to"}
BAD = ("javascript:", "vbscript:", "livescript:", "data:", "feed:", "view-source:", "blob:")
RAW = ("script", "style")


class _Strict(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.odd: list[object] = []
        self._inside: tuple[str, dict[str, str | None]] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        for name, value in attrs:
            told = "".join(c for c in (value or "") if c > " ").lower()
            runs = name.startswith(("on", "hx-on", "data-hx-on")) or name in (
                "style",
                "srcdoc",
                "_",
                "hx-vals",
                "hx-ext",
            )
            leads = name in LEADING or (name.startswith("hx-") and name in ("hx-get", "hx-post", "hx-patch"))
            if MARK in name or (runs and (MARK in told or name.startswith("on"))):
                self.odd.append((tag, name, value))
            if leads and (told.startswith(BAD) or (told.startswith("//") and MARK in told)):
                self.odd.append((tag, name, value))
            if (
                tag in ("base", "meta", "link", "iframe", "object", "embed", "form")
                and MARK in told
                and name != "content"
            ):
                self.odd.append((tag, name, value))
        if MARK in tag or tag in ("base", "iframe", "object", "embed", "applet", "frameset", "portal"):
            self.odd.append((tag, attrs))
        if tag == "meta" and given.get("http-equiv"):
            self.odd.append((tag, attrs))
        self._inside = (tag, given) if tag in RAW else self._inside

    def handle_endtag(self, tag: str) -> None:
        if tag in RAW:
            self._inside = None

    def handle_data(self, data: str) -> None:
        if self._inside is None:
            return
        tag, given = self._inside
        as_data = tag == "script" and given.get("type") == "application/json" and "<" not in data
        if not as_data and (data.strip() or tag == "style"):
            self.odd.append((tag, data[:80]))

    def handle_comment(self, data: str) -> None:
        self.odd += [("comment", data)] if MARK in data else []

    def handle_decl(self, decl: str) -> None:
        self.odd += [("declaration", decl)] if decl.lower() != "doctype html" else []

    def unknown_decl(self, data: str) -> None:
        self.odd.append(("declaration", data))

    def handle_pi(self, data: str) -> None:
        self.odd.append(("instruction", data))


def odd(html: str) -> list[object]:
    """What is no text, no element of ours and no attribute of ours."""
    reader = _Strict()
    reader.feed(html)
    reader.close()
    if reader.rawdata:
        reader.odd.append(("unfinished", reader.rawdata[:80]))
    return reader.odd
