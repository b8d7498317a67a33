"""Refusals name the roles that could, on pages, fragments and toasts; the pages of people; the table of roles (SEC-S11)."""

import pytest

from engine.core.permissions import Permission, Role, may
from engine.services import accounts
from tests.web.conftest import ACTOR, PASSWORD
from tests.web.pages_read import read
from web.role_words import only, role_name


async def test_sec_s11_a_page_that_is_refused_says_which_role_is_needed(signed_in):
    person = await signed_in(Role.SUPERVISOR)

    page = await person.get("/settings/people")

    assert page.status_code == 403
    assert "Só quem tem o papel Administração pode gerenciar canais" in page.text


async def test_sec_s11_a_fragment_and_a_plain_form_that_are_refused_say_it_too(signed_in, flow):
    person = await signed_in(Role.READONLY)
    words = "Só quem tem o papel Supervisão, Edição (publica) ou Administração pode pausar o robô"

    toast = await person.post("/conversations/1/pause", headers={"hx-request": "true"})
    plain = await person.post("/conversations/1/pause")

    assert (toast.status_code, plain.status_code) == (403, 403)
    assert words in toast.text
    assert words in plain.text
    assert toast.headers["hx-retarget"] == "#toasts"


@pytest.mark.parametrize("permission", Permission)
def test_sec_s11_every_refusal_names_exactly_the_roles_that_may(permission):
    told = only(permission)

    for role in Role:
        assert (role_name(role) in told) == may(role, permission), (role, told)


async def test_sec_s13_a_form_of_another_session_is_refused_without_a_word_about_roles(editor, flow):
    page = await editor.client.post("/flows/pequeno/draft/states", data={"name": "X", "_csrf": "0" * 64})

    assert page.status_code == 403
    assert "Esta página é anterior à sua entrada" in page.text
    assert "papel" not in page.text


async def test_an_administrator_sees_everybody_with_role_state_and_second_factor(runtime, signed_in):
    admin = await signed_in(Role.ADMIN)
    await signed_in(Role.SUPERVISOR)
    await accounts.invite(runtime, "iara@trilho.test", "marketer", ACTOR, "Iara")
    gone = await accounts.by_address(runtime, "supervisor@trilho.test")
    await accounts.disable(runtime, gone.id, ACTOR)

    page = (await admin.get("/settings/people")).text

    for words in (
        "iara@trilho.test",
        "convite enviado",
        "bloqueada",
        "desligado",
        "nunca",
        "agora" if False else "você",
    ):
        assert words in page
    assert page.count('<th scope="row">') == len(Permission)


async def test_an_invitation_is_shown_once_and_lets_in(app, browser_of, runtime, signed_in):
    admin = await signed_in(Role.ADMIN)
    form = {"email": " Nova@Trilho.test ", "name": "Nova", "role": "marketer"}

    made = await admin.post("/settings/people", form)
    link = made.text.split('id="once" readonly value="')[1].split('"')[0].removeprefix("http://trilho.test")

    assert made.status_code == 200
    assert link not in (await admin.get("/settings/people")).text
    newcomer = browser_of(app)
    entered = await newcomer.post(link, data={"name": "Nova", "password": PASSWORD})
    assert entered.status_code == 303
    assert (await newcomer.get("/flows")).status_code == 200
    assert (await newcomer.get(link)).status_code == 404


@pytest.mark.parametrize(
    ("change", "words"),
    [({"email": "ninguém"}, "Isto não é um endereço de e-mail"), ({"role": "king"}, "Esse papel não existe"), ({"email": "admin@trilho.test"}, "Já existe")],
)  # fmt: skip
async def test_an_invitation_that_cannot_be_made_keeps_what_was_typed(signed_in, change, words):
    admin = await signed_in(Role.ADMIN)

    page = await admin.post("/settings/people", {"email": "a@b.test", "name": "Fulana", "role": "marketer", **change})

    assert page.status_code == 422
    assert words in page.text
    assert 'value="Fulana"' in page.text


async def test_sec_s10_a_new_role_ends_the_sessions_and_the_last_administrator_stays(runtime, signed_in):
    admin, other = await signed_in(Role.ADMIN), await signed_in(Role.MARKETER)
    one = await accounts.by_address(runtime, "marketer@trilho.test")
    me = await accounts.by_address(runtime, "admin@trilho.test")

    assert (await admin.post(f"/settings/people/{one.id}/role", {"role": "publisher"})).status_code == 303
    assert (await other.get("/flows")).status_code == 401
    refused = await admin.post(f"/settings/people/{me.id}/role", {"role": "readonly"})
    shut = await admin.post(f"/settings/people/{me.id}/disable")

    assert (refused.status_code, shut.status_code) == (422, 422)
    assert "Alguém precisa continuar podendo administrar" in refused.text


async def test_shutting_out_letting_in_and_a_new_link(app, browser_of, runtime, signed_in):
    admin, other = await signed_in(Role.ADMIN), await signed_in(Role.SUPERVISOR)
    one = await accounts.by_address(runtime, "supervisor@trilho.test")

    await admin.post(f"/settings/people/{one.id}/disable")
    assert (await other.get("/live")).status_code == 401
    await admin.post(f"/settings/people/{one.id}/enable")
    page = await admin.post(f"/settings/people/{one.id}/link")
    link = page.text.split('id="once" readonly value="')[1].split('"')[0].removeprefix("http://trilho.test")
    back = browser_of(app)
    asked = await back.get(link)
    entered = await back.post(link, data={**read(asked.text).form(link).fields, "password": "outra frase comprida"})

    assert "Nova senha" in asked.text
    assert entered.status_code == 303
    assert (await accounts.by_address(runtime, "supervisor@trilho.test")).name == "Supervisor"


async def test_people_of_made_up_numbers_are_not_found(signed_in):
    admin = await signed_in(Role.ADMIN)
    for path in ("", "/link", "/role", "/disable", "/enable", "/sessions", "/second-factor"):
        answer = await (admin.get if not path else admin.post)(f"/settings/people/999{path}")
        assert answer.status_code == 404, path


async def test_a_name_is_text_and_nothing_else(runtime, signed_in):
    admin = await signed_in(Role.ADMIN)
    odd = '<img src=x onerror=alert(1)> \u202eسلام 🧵 "'

    await admin.post("/profile", {"name": odd + "\x00" + "x" * 4_000})
    page = (await admin.get("/settings/people")).text

    assert "<img src=x" not in page
    assert "&lt;img src=x" in page
    assert len((await accounts.by_address(runtime, "admin@trilho.test")).name) == 80
