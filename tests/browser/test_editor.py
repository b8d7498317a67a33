"""What a marketer does in the editor, in a real browser: sign in, change a deadline, see an ambiguity, publish."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page, Response, expect

from engine.core.permissions import Actor, Role
from engine.services import accounts, edit, publish
from tests.browser.conftest import DESKTOP, PHONE, OpenPage
from tests.browser.network import late
from tests.browser.serving import Site, serving
from tests.runtimes import a_runtime
from tests.services.small_flow import small

PASSWORD = "um trem azul no morro"
WHO = "marina@trilho.test"
ACTOR = Actor("teste")
DRAFT = "/flows/pequeno/draft"
PAGES = (
    "/flows",
    f"{DRAFT}?sel=s:NOVO",
    f"{DRAFT}?sel=t:t4",
    f"{DRAFT}?sel=new:transition",
    f"{DRAFT}?sel=names",
    f"{DRAFT}?sel=n:action:oi",
    f"{DRAFT}?view=table",
    f"{DRAFT}?show=traffic",
    f"{DRAFT}?show=problems",
    f"{DRAFT}/search?q=conversa",
    "/shortcuts",
    "/flows/pequeno/publish",
    "/flows/pequeno/versions",
    "/flows/pequeno/versions/1",
)


@pytest_asyncio.fixture(loop_scope="session")
async def site(sqlite_url: str) -> AsyncIterator[Site]:
    """The application with a published flow and somebody who may publish."""
    runtime = a_runtime(sqlite_url)
    await publish.publish_tree(runtime, small(), "primeira", ACTOR)
    await accounts.use_link(
        runtime, await accounts.invite(runtime, WHO, Role.PUBLISHER, ACTOR, "Marina Prado"), PASSWORD
    )
    async with serving(runtime) as running:
        yield running
    await runtime.close()


async def _enter(page: Page, site: Site, path: str = "/") -> None:
    await page.goto(site.url + path)
    await page.get_by_label("E-mail").fill(WHO)
    await page.get_by_label("Senha").fill(PASSWORD)
    await page.get_by_role("button", name="Entrar").click()
    await expect(page.get_by_label("Sua conta")).to_be_visible()
    await page.wait_for_load_state()  # before its scripts run, a link of the drawing opens a whole page


async def _ambiguous(site: Site) -> None:
    await edit.edit(
        site.runtime,
        "pequeno",
        {"op": "set_transition", "id": "t4", "field": "when", "value": "toques < 3"},
        actor=ACTOR,
    )
    more = {"from": "CONVERSA", "on": "timeout", "to": "NOVO", "when": "toques >= 2"}
    await edit.edit(site.runtime, "pequeno", {"op": "add_transition", "fields": more}, actor=ACTOR)


async def test_signing_in_leads_to_the_page_that_was_asked_for(page: Page, site: Site) -> None:
    await _enter(page, site, DRAFT)

    await expect(page).to_have_url(site.url + DRAFT)
    await expect(page.get_by_text("Rascunho · igual ao publicado")).to_be_visible()


async def test_a_click_on_the_drawing_opens_the_panel_and_a_new_deadline_saves_by_itself(
    page: Page, site: Site
) -> None:
    await _enter(page, site, DRAFT)

    await page.locator('a[data-sel="s:NOVO"]').first.click()
    deadline = page.get_by_label("Prazo de silêncio", exact=True)
    await expect(deadline).to_have_value("1 dia")
    await deadline.fill("4 h")
    await deadline.press("Tab")

    await expect(page.get_by_text("Rascunho · 1 mudança")).to_be_visible()
    await expect(page.get_by_text("Salvo agora")).to_be_visible()
    await expect(page.locator("#canvas-svg").get_by_text("4 h de silêncio").first).to_be_visible()
    assert (await edit.opened(site.runtime, "pequeno")).tree["states"]["NOVO"]["deadline"] == "4h"
    await page.reload()
    await expect(page.get_by_label("Prazo de silêncio", exact=True)).to_have_value("4 h")


def _saved(field: str) -> Callable[[Response], bool]:
    """The answer to a change of a field."""
    return lambda answer: answer.request.method == "PATCH" and f"field={field}&" in (answer.request.post_data or "")


async def test_what_is_changed_while_an_answer_is_on_its_way_is_sent_after_it(page: Page, site: Site) -> None:
    await _enter(page, site, f"{DRAFT}?sel=s:NOVO")
    waits, look = page.get_by_label("O que estamos esperando aqui"), page.get_by_label("Tipo", exact=True)

    async with (
        page.expect_response(_saved("waiting_for")),
        page.expect_response(_saved("look")),
        late(page, "**/draft/states/NOVO"),
    ):
        await page.get_by_label("Prazo de silêncio", exact=True).fill("4 h")
        await waits.fill("a primeira mensagem")
        await look.select_option("talk")
        await look.press("Tab")

    state = (await edit.opened(site.runtime, "pequeno")).tree["states"]["NOVO"]
    assert (state["deadline"], state["waiting_for"], state["look"]) == ("4h", "a primeira mensagem", "talk")
    await page.reload()
    await expect(waits).to_have_value("a primeira mensagem")


async def test_what_is_still_being_typed_when_an_answer_comes_is_saved_on_leaving_it(page: Page, site: Site) -> None:
    await _enter(page, site, f"{DRAFT}?sel=s:NOVO")
    waits = page.get_by_label("O que estamos esperando aqui")

    async with late(page, "**/draft/states/NOVO"):
        await page.get_by_label("Prazo de silêncio", exact=True).fill("4 h")
        await waits.fill("a primeira")
    await expect(page.get_by_text("Rascunho · 1 mudança")).to_be_visible()
    await expect(waits).to_have_value("a primeira")
    await expect(waits).to_be_focused()
    async with page.expect_response(_saved("waiting_for")):
        await waits.press("Tab")

    assert (await edit.opened(site.runtime, "pequeno")).tree["states"]["NOVO"]["waiting_for"] == "a primeira"


async def test_what_was_typed_for_one_state_never_gets_into_another(page: Page, site: Site) -> None:
    await _enter(page, site, f"{DRAFT}?sel=s:NOVO")
    waits = page.get_by_label("O que estamos esperando aqui")
    async with late(page, "**/draft/states/CONVERSA*"):
        await page.get_by_role("link", name="Estado CONVERSA").click()
        await waits.fill("só de NOVO")
    await expect(page.locator("#panel-title")).to_have_text("CONVERSA")
    await expect(waits).to_have_value("")
    states = (await edit.opened(site.runtime, "pequeno")).tree["states"]
    assert "waiting_for" not in states["CONVERSA"]


async def test_what_cannot_be_read_is_said_beside_the_field_and_stays_typed(page: Page, site: Site) -> None:
    await _enter(page, site, f"{DRAFT}?sel=s:NOVO")

    deadline = page.get_by_label("Prazo de silêncio", exact=True)
    await deadline.fill("logo mais")
    await deadline.press("Enter")

    await expect(page.get_by_text("“logo mais” não é um tempo.")).to_be_visible()
    await expect(deadline).to_have_value("logo mais")
    await expect(deadline).to_have_attribute("aria-invalid", "true")


async def test_an_ambiguity_shows_its_witness_and_one_click_settles_it(page: Page, site: Site) -> None:
    await _ambiguous(site)
    await _enter(page, site, f"{DRAFT}?sel=t:t4")

    await expect(page.get_by_text("Duas setas podem disparar ao mesmo tempo quando toques = 2").first).to_be_visible()
    await expect(page.locator(".nline .hit")).to_have_text("2as duas")
    await expect(page.locator("svg.fluxo.quiet")).to_be_visible()
    await page.locator(".fixes button").first.click()

    await expect(page.locator(".prob.error")).to_have_count(0)
    await expect(page.get_by_role("link", name="Publicar…")).not_to_have_attribute("aria-disabled", "true")


async def test_two_people_change_one_field_and_the_second_chooses(page: Page, site: Site) -> None:
    await _enter(page, site, f"{DRAFT}?sel=s:NOVO")
    await edit.edit(
        site.runtime, "pequeno", {"op": "set_state", "id": "NOVO", "field": "deadline", "value": "6h"}, actor=ACTOR
    )

    deadline = page.get_by_label("Prazo de silêncio", exact=True)
    await deadline.fill("4 h")
    await deadline.press("Tab")
    await expect(page.locator("#conflict")).to_contain_text("teste mudou isto")
    await expect(page.locator("#conflict")).to_contain_text("agora é 6 h.")
    await page.get_by_role("button", name="Ficar com a minha: 4 h").click()

    await expect(page.locator("#conflict")).to_have_count(0)
    await expect(page.get_by_label("Prazo de silêncio", exact=True)).to_have_value("4 h")


async def test_a_deleted_arrow_comes_back_with_the_toast(page: Page, site: Site) -> None:
    await _enter(page, site, f"{DRAFT}?sel=t:t3")

    await page.locator("#panel").get_by_role("button", name="Excluir").click()
    await expect(page.get_by_text("Transição excluída.")).to_be_visible()
    assert "t3" not in (await edit.opened(site.runtime, "pequeno")).flow.arrows
    await page.get_by_role("button", name="Desfazer", exact=True).click()

    await expect(page.get_by_text("Rascunho · igual ao publicado")).to_be_visible()
    assert "t3" in (await edit.opened(site.runtime, "pequeno")).flow.arrows


async def test_the_view_stays_where_it_is_while_the_drawing_changes(page: Page, site: Site) -> None:
    await _enter(page, site, f"{DRAFT}?sel=s:NOVO")
    await page.get_by_label("Aumentar zoom").click()
    view = page.locator("#canvas-view")
    before = await view.get_attribute("style")

    await page.get_by_label("Prazo de silêncio", exact=True).fill("5 h")
    await page.get_by_label("Prazo de silêncio", exact=True).press("Tab")
    await expect(page.get_by_text("Salvo agora")).to_be_visible()

    assert await view.get_attribute("style") == before


async def test_the_keyboard_walks_the_boxes_and_opens_one(page: Page, site: Site) -> None:
    await _enter(page, site, DRAFT)

    await page.locator("#canvas").focus()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowDown")
    chosen = await page.evaluate("document.activeElement.dataset.sel")
    await page.keyboard.press("Space")

    await expect(page.locator("#panel-title")).to_have_text(chosen.removeprefix("s:"))


async def test_publishing_from_the_review(page: Page, site: Site) -> None:
    await edit.edit(
        site.runtime, "pequeno", {"op": "set_state", "id": "NOVO", "field": "deadline", "value": "6h"}, actor=ACTOR
    )
    await _enter(page, site, DRAFT)

    await page.get_by_role("link", name="Publicar…").click()
    await page.get_by_label("O que mudou, em uma frase").fill("Prazo de NOVO menor")
    await page.get_by_role("button", name="Publicar v2 agora").click()

    await expect(page.get_by_role("heading", name="Pequeno · v2")).to_be_visible()
    assert [v.number for v in await publish.publications(site.runtime, "pequeno")] == [2, 1]


async def test_no_page_breaks_a_rule_of_accessibility(open_page: OpenPage, site: Site) -> None:
    """WCAG 2.2 A and AA as far as axe can tell, in both themes."""
    await _ambiguous(site)
    tags = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
    found = []
    for dark in (False, True):
        page = await open_page(dark=dark)
        await page.goto(f"{site.url}/login")
        found += [(dark, "/login", one["id"], one["nodes"][0]["html"]) for one in await _violations(page, tags)]
        await _enter(page, site, "/flows")
        for path in PAGES:
            await page.goto(site.url + path)
            found += [(dark, path, one["id"], one["nodes"][0]["html"]) for one in await _violations(page, tags)]

    assert found == []


async def _violations(page: Page, options: dict[str, object]) -> list[dict[str, Any]]:
    result = await Axe().run(page, options=options)
    violations: list[dict[str, Any]] = result.response["violations"]
    return violations


async def test_no_page_is_wider_than_its_window_in_either_theme(open_page: OpenPage, site: Site) -> None:
    for size in (DESKTOP, PHONE):
        for dark in (False, True):
            page = await open_page(size=size, dark=dark)
            await _enter(page, site, "/flows")
            for path in PAGES:
                await page.goto(site.url + path)
                assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (size, dark, path)
