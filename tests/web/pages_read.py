"""Reading pages as a person would: links, forms and their fields, texts."""

from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass
class Form:
    """One form of a page: where it goes and what it would send."""

    action: str
    method: str
    id: str
    fields: dict[str, list[str]] = field(default_factory=dict)

    def data(self, **changes: object) -> dict[str, object]:
        """What would be sent, with some fields filled in."""
        return {**self.fields, **changes}


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.links: list[str] = []
        self.ids: list[str] = []
        self.words: list[str] = []
        self._open: Form | None = None
        self._select: tuple[str, bool] | None = None
        self._area: str | None = None
        self._quiet = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if "id" in given:
            self.ids.append(given["id"])
        if tag in ("script", "style"):
            self._quiet += 1
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag == "form":
            self._open = Form(given.get("action", ""), given.get("method", "get"), given.get("id", ""))
            self.forms.append(self._open)
        if self._open is None or "disabled" in given:
            return
        if tag == "input" and given.get("name"):
            if given.get("type") in ("checkbox", "radio") and "checked" not in given:
                return
            self._put(given["name"], given.get("value", ""))
        elif tag == "select":
            self._select = (given.get("name", ""), False)
        elif tag == "option" and self._select is not None:
            name, chosen = self._select
            if "selected" in given or not chosen:
                values = self._open.fields.setdefault(name, [])
                if chosen:
                    values.pop()
                values.append(given.get("value", ""))
                self._select = (name, True)
        elif tag == "textarea" and given.get("name"):
            self._area = given["name"]
            self._put(self._area, "")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style"):
            self._quiet -= 1
        if tag == "form":
            self._open = None
        if tag == "select":
            self._select = None
        if tag == "textarea":
            self._area = None

    def handle_data(self, data: str) -> None:
        if self._area is not None and self._open is not None:
            self._open.fields[self._area][-1] += data
        elif not self._quiet and data.strip():
            self.words.append(data.strip())

    def _put(self, name: str, value: str) -> None:
        if self._open is not None:
            self._open.fields.setdefault(name, []).append(value)


@dataclass
class Read:
    """A page, read."""

    forms: list[Form]
    links: list[str]
    ids: list[str]
    text: str

    def form(self, action: str = "", *, ident: str = "") -> Form:
        """The form that goes to an address, or that has an id. Raises when there is none."""
        found = [one for one in self.forms if (one.id == ident if ident else one.action == action)]
        assert found, f"no form for {action or ident} among {[(one.action, one.id) for one in self.forms]}"
        return found[0]


def read(html: str) -> Read:
    """The page's parts."""
    reader = _Reader()
    reader.feed(html)
    return Read(reader.forms, reader.links, reader.ids, " ".join(reader.words))


def taking_back(answer: str) -> Form:
    """The form of a toast that offers to take the newest change back; it stands behind the buttons of the bar."""
    return [form for form in read(answer).forms if form.action.endswith("/undo")][-1]
