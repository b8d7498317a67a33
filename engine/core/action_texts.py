"""Every string of an action in which gaps are filled: what checks read, and what tells which values an action needs."""

from collections.abc import Iterator

from engine.core.actions import Action, Agent, Call, Media, Notify, Send, Template
from engine.core.values import Text

__all__ = ["texts", "versions"]


def texts(action: Action) -> Iterator[str]:
    """All of them, in every language."""
    yield action.once_per or ""
    if isinstance(action, Send):
        yield from versions(action.text)
        if action.template is not None:
            yield from _filled(action.template)
        yield from _media(action.media)
        for part in action.parts:
            yield from versions(part.text)
            yield from _media(part.media)
        for button in action.buttons:
            yield from versions(button.title)
        if action.menu is not None:
            yield from versions(action.menu.button)
            for row in action.menu.rows:
                yield from (*versions(row.title), *versions(row.description))
    elif isinstance(action, Call):
        yield from (action.url, action.body or "", *action.headers.values())
    elif isinstance(action, Agent):
        yield action.prompt
    elif isinstance(action, Notify):
        yield from versions(action.text)


def _filled(template: Template) -> Iterator[str]:
    """What is put into a template."""
    yield from template.params
    if isinstance(template.header, Media):
        yield from _media(template.header)
    else:
        yield template.header or ""
    for button in template.buttons:
        yield button.payload or button.url or ""


def versions(text: Text | None) -> Iterator[str]:
    """A text in each of its languages."""
    if text is not None:
        yield from (words for _, words in text.versions)


def _media(media: Media | None) -> Iterator[str]:
    if media is not None:
        yield media.url
        yield from versions(media.caption)
