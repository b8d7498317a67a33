"""The password again, before secrets, roles, tokens and whatever a route declares: one guard, which the door calls.

The form that was sent waits in the answer, sealed for this session and address: what it holds, secrets too, is never on a
page. With the password it goes on as if nothing had been asked.
"""

from collections.abc import Mapping

from litestar.exceptions import ClientException

from engine.core.errors import Refused
from engine.services import kept_forms, proving
from engine.services.sign_in import SignedIn
from web import csrf, forms
from web.permissions import FRESH, Fresh
from web.refusals import sentence
from web.visitor import AppRequest, visitor

__all__ = ["ProveFirst", "required"]

PASSWORD, HELD = "_password", "_held"


class ProveFirst(ClientException):
    """The password is needed. `held` is the form that waits; `problem` says why one that was given did not do."""

    def __init__(self, held: str, problem: str = "") -> None:
        self.held, self.problem = held, problem
        super().__init__(detail="give the password again", status_code=422)


async def required(request: AppRequest, there: SignedIn, opt: Mapping[str, object]) -> None:
    """Let a form through whose route does not ask, or whose person gave the password lately or gives it now."""
    asked = opt.get(FRESH)
    if not isinstance(asked, Fresh) or (asked is Fresh.PUBLISHING and not there.rules.ask_to_publish):
        return
    runtime, path = request.app.state.runtime, request.url.path
    form = await forms.read(request)
    given, waiting = form.get(PASSWORD), form.get(HELD)
    if isinstance(waiting, str):
        fields = kept_forms.unheld(runtime, there.digest, path, waiting)
        if fields is None:
            raise ClientException("what waited is not there any more: open the page again")
        forms.put(request, fields)
    if there.proved:
        return
    pairs = [(name, value) for name, value in await forms.pairs(request) if name not in (csrf.FIELD, PASSWORD, HELD)]
    held = kept_forms.held(runtime, there.digest, path, pairs)
    if not isinstance(given, str) or not given:
        await forms.drop(request)
        raise ProveFirst(held)
    try:
        await proving.prove(runtime, there, given, visitor(request).actor)
    except Refused as refused:
        raise ProveFirst(held, sentence(refused)) from refused
