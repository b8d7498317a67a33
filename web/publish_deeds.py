"""Publishing, at once, later or back to an older version: the sentence that is needed, and every refusal on the page."""

from collections.abc import Awaitable, Callable, Mapping

from litestar.response import Redirect, Response

from engine.core.errors import NotPublishable, Refused, Stale
from engine.core.flow import Millis
from engine.services import four_eyes
from web import forms
from web.i18n import gettext
from web.pages import go
from web.publish_pages import Typed, review_page, tests_of
from web.publish_words import plan_from
from web.refusals import sentence
from web.visitor import AppRequest, visitor

__all__ = ["asked", "done", "place", "two_decide"]


def two_decide(request: AppRequest) -> bool:
    """Whether a publication has to be approved by a second person."""
    there = visitor(request).there
    return there is not None and there.rules.four_eyes


async def asked(
    request: AppRequest,
    slug: str,
    note: str,
    form: Mapping[str, str],
    *,
    source: int | None = None,
    at: Millis | None = None,
) -> str:
    """Ask a second person; the address of the review, which says that it waits."""
    await four_eyes.ask(
        request.app.state.runtime,
        slug,
        note,
        visitor(request).actor,
        revision=forms.whole(form.get("revision")),
        seen=forms.whole(form.get("live")),
        plan=plan_from(form),
        source=source,
        at=at,
    )
    return place(slug, source)


def place(slug: str, source: int | None) -> str:
    """Where the review of the draft is, or of a version that is to come back."""
    return f"/flows/{slug}/publish" if source is None else f"/flows/{slug}/versions/{source}/rollback"


async def done(
    request: AppRequest,
    slug: str,
    form: Mapping[str, str],
    deed: Callable[[str], Awaitable[str]],
    *,
    source: int | None = None,
) -> Response[str] | Redirect:
    """Do it with the note of the form and go where it says; else the review again, with what was typed and why not.

    422 when the note, the checks, saved tests or people stand against it, 409 when something changed since the page was made.
    """
    note, status = " ".join(form.get("note", "").split()), 422
    if not note:
        words = sentence(Refused("note_missing"))
        return await review_page(request, slug, status, source=source, typed=Typed(form, words))
    if form.get("tests") != "anyway":
        differing = [one.test.name for one in await tests_of(request, slug, source, None) if not one.passed]
        if differing:
            words = gettext("These saved tests differ: %(names)s.") % {"names": ", ".join(differing)}
            return await review_page(request, slug, status, source=source, typed=Typed(form, words))
    try:
        return go(await deed(note))
    except NotPublishable:
        words = gettext("The errors above keep it from being published.")
    except Refused as error:
        words = sentence(error)
    except Stale:
        words, status = gettext("The draft was changed while you were looking: read the review again."), 409
    return await review_page(request, slug, status, source=source, typed=Typed(form, words))
