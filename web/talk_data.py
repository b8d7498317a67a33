"""What is known of a person and their conversation, as the panel shows it."""

from engine.core.flow import Field, FieldType
from engine.services.transcript import Page
from web import i18n
from web.desk_words import brief, emailed, moment_of, money, named, phoned
from web.i18n import gettext

__all__ = ["data_of"]


def data_of(page: Page, *, phones: bool) -> dict[str, list[tuple[str, str]]]:
    """What is known: the flow's fields, the person's names."""
    context = []
    for name, value in page.context.items():
        field = page.flow.context.get(name)
        label = field.label if field is not None else None
        context.append((name if label is None else label.within(i18n.current()), _value(page, field, value)))
    identities = [
        (named(kind), phoned(seen, whole=phones) if kind != "reference" else seen) for kind, seen in page.identities
    ]
    email = emailed(page.email, whole=phones)
    return {
        "context": context,
        "identities": [*identities, *([(named("email"), email)] if email else [])],
    }


def _value(page: Page, field: Field | None, value: object) -> str:
    """A field as people write it; a sensitive one is dots already."""
    kind = field.type if field is not None else None
    if isinstance(value, int) and kind is FieldType.MONEY:
        return money(value)
    if isinstance(value, int) and kind is FieldType.TIMESTAMP:
        return moment_of(value, page.now, page.flow.timezone)
    if isinstance(value, int) and kind is FieldType.DURATION:
        return brief(value)
    if value is None:
        return "–"
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return str(value)
