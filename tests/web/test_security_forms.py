"""Every form of every page, found by walking, sent with odd words in its fields: an answer below 500 (SEC-S5, SEC-S13)."""

from urllib.parse import urlencode, urlsplit

import pytest
import pytest_asyncio

from engine.core.errors import Refused
from engine.core.permissions import Role
from tests.web.crawl import Crawl
from tests.web.furnished import Words, furnish
from tests.web.pages_read import Form, read
from tests.web.route_shapes import route_of, routes
from web.draft_edits import fixed, seen_value

ODD = (
    "\x00",
    "9" * 25,
    "💩\u202e",
    "x" * 21_000,
    "",
    "-1",
    "[" * 5_000,
    "NaN",
    "\ud83d",
    "a\r\nX-Evil: 1",
    "{{7*7}}",
    "=1+1",
    "1e400",
)
LEAVES = ("/logout",)
TYPE = {"content-type": "application/x-www-form-urlencoded"}


@pytest_asyncio.fixture
async def found(app, runtime, signed_in):
    """An administrator, and one form of each kind: a route, and the fields that it has."""
    there = await furnish(runtime, Words([f"palavra{n}" for n in range(300)]))
    admin, known, forms = await signed_in(Role.ADMIN), routes(app), {}
    async for _, answer in Crawl(app, admin.client, each=1).pages(there.addresses):
        if not answer.headers.get("content-type", "").startswith("text/html"):
            continue
        for form in read(answer.text).forms:
            route = route_of([r for r in known if "POST" in r.methods], urlsplit(form.action).path)
            if form.method.lower() == "post" and route is not None and form.action not in LEAVES:
                forms.setdefault((route.path, *sorted(form.fields)), form)
    return admin, list(forms.values())


async def failures(admin, forms: list[Form], words, *, in_turn: bool = False) -> dict[str, int]:
    """What was answered 5xx; `in_turn`: each form is sent the next of the words alone."""
    wrong = {}
    for at, form in enumerate(forms):
        for word in [words[at % len(words)]] if in_turn else words:
            for name in [one for one in form.fields if one != "_csrf"] or [""]:
                told = urlencode({**form.fields, name: word, "_csrf": admin.csrf}, doseq=True, errors="surrogatepass")
                answer = await admin.client.post(form.action, content=told, headers=TYPE)
                if answer.status_code >= 500 or "x-evil" in answer.headers:
                    wrong[f"{form.action} {name}={word[:20]!r}"] = answer.status_code
    return wrong


async def test_every_field_of_every_form_may_be_odd(found):
    admin, forms = found

    assert len(forms) > 40
    assert await failures(admin, forms, ODD, in_turn=True) == {}


async def test_sec_s13_no_form_of_any_page_is_taken_without_its_token_or_from_another_site(found):
    """By the forms themselves, so that one that is added is asked too."""
    admin, forms = found
    taken = {}
    for form in forms:
        data = {name: value for name, value in form.fields.items() if name != "_csrf"}
        bare = await admin.client.post(form.action, content=urlencode(data, doseq=True), headers=TYPE)
        whole = urlencode({**data, "_csrf": admin.csrf}, doseq=True)
        abroad = await admin.client.post(form.action, content=whole, headers={**TYPE, "sec-fetch-site": "cross-site"})
        other = await admin.client.post(form.action, content=whole, headers={**TYPE, "origin": "https://evil.example"})
        if {bare.status_code, abroad.status_code, other.status_code} != {403}:
            taken[form.action] = (bare.status_code, abroad.status_code, other.status_code)
    assert taken == {}


@pytest.mark.parametrize("text", ["NaN", "-Infinity", "1e400", '["a", NaN]', "[" * 20_000, "9" * 5_000, "{"])
def test_what_a_page_carried_has_only_numbers_that_json_has(text):
    assert seen_value(text) is None
    with pytest.raises(Refused):
        fixed(f'[{{"op": "set_state", "value": {text}}}]')


@pytest.mark.slow
@pytest.mark.timeout(1_800)
async def test_every_field_of_every_form_may_be_every_odd_word(found):
    admin, forms = found

    assert await failures(admin, forms, ODD) == {}
