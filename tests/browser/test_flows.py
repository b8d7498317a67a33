"""The pages around the editor: list, new flow, versions, export and first steps, seen, by keyboard, and without scripts."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, Page, expect

from engine.core.permissions import Role
from engine.services import accounts, edit, new_flow, publish, sign_in
from tests.browser import looks
from tests.browser.conftest import DESKTOP, PHONE, OpenPage
from tests.browser.desk import ACTOR, PASSWORD
from tests.browser.serving import Site, serving
from tests.runtimes import a_runtime
from tests.services.small_flow import small

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
FLOW = "/flows/pequeno"
PAGES = (
    "/flows", "/flows?tab=drafts", "/flows?tab=archived", "/flows?q=zzz", "/flows/new", f"{FLOW}/manage", f"{FLOW}/versions",
    f"{FLOW}/versions/1", f"{FLOW}/versions/1/restore", f"{FLOW}/compare?from=1&to=draft", f"{FLOW}/export",
    f"{FLOW}/export?theme=dark&ratio=a4&format=pdf", "/welcome?step=1", "/welcome?step=4", f"{FLOW}/diagram.png?theme=x",
)  # fmt: skip
LATER = {"op": "set_state", "id": "NOVO", "field": "deadline", "value": "5h"}


@pytest_asyncio.fixture(loop_scope="session")
async def site(sqlite_url: str) -> AsyncIterator[Site]:
    """A flow in two versions with a draft beyond them, a draft that was never published, and an administrator."""
    runtime = a_runtime(sqlite_url)
    await publish.publish_tree(runtime, small(), "primeira", ACTOR)
    await publish.publish_tree(runtime, small(title="Pequeno e bom"), "título", ACTOR)
    await edit.edit(runtime, "pequeno", LATER, actor=ACTOR)
    await new_flow.begin(runtime, "venda-literal", "Mentoria ponto a ponto com um título que não acaba nunca", ACTOR)
    link = await accounts.invite(runtime, "livia@trilho.test", Role.ADMIN, ACTOR, name="Lívia Serrano")
    await accounts.use_link(runtime, link, PASSWORD)
    async with serving(runtime) as running:
        yield running
    await runtime.close()


async def _enter(page: Page, site: Site, path: str) -> None:
    token = await sign_in.sign_in(site.runtime, "livia@trilho.test", PASSWORD, "127.0.0.1")
    await page.context.add_cookies([{"name": "trilho", "value": token, "url": site.url}])
    await page.goto(site.url + path)


async def test_every_page_can_be_read_fits_and_breaks_no_rule_in_both_themes_and_sizes(
    open_page: OpenPage, site: Site
) -> None:
    found: list[object] = []
    for size in (DESKTOP, PHONE):
        for dark in (False, True):
            page = await open_page(size=size, dark=dark)
            await _enter(page, site, "/flows")
            for path in PAGES:
                await page.goto(site.url + path)
                wrong = [*await looks.faint(page), *await looks.outside(page)]
                if await page.evaluate("document.scrollingElement.scrollWidth - innerWidth") > 0:
                    wrong.append("wider than the window")
                if size == DESKTOP and not dark:
                    wrong += map(str, await _violations(page))
                elif not dark:
                    wrong += await looks.small(page)
                found += [(path, size, dark, one) for one in wrong]
    assert found == []


async def _violations(page: Page) -> list[tuple[str, str]]:
    found: list[dict[str, Any]] = (await Axe().run(page, options={"runOnly": TAGS})).response["violations"]
    return [(one["id"], one["nodes"][0]["html"][:160]) for one in found]


async def test_the_keyboard_filters_the_list_opens_its_menu_and_makes_a_flow(page: Page, site: Site) -> None:
    await _enter(page, site, "/flows")

    await page.keyboard.press("/")
    await expect(page.get_by_label("Filtrar por nome")).to_be_focused()
    await page.keyboard.type("bom")
    await page.keyboard.press("Enter")
    await expect(page.locator("article")).to_have_count(1)
    await page.get_by_label("Mais sobre Pequeno e bom").focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("link", name="Duplicar…")).to_be_visible()
    await page.keyboard.press("Escape")
    await page.keyboard.press("n")
    await expect(page.get_by_role("heading", name="Novo fluxo")).to_be_visible()


async def test_another_order_acts_at_once(page: Page, site: Site) -> None:
    await _enter(page, site, "/flows")
    await page.get_by_label("Ordenar").select_option("name")
    await page.wait_for_url("**sort=name**")


async def test_a_choice_of_the_export_shows_at_once_in_the_picture_and_its_link(page: Page, site: Site) -> None:
    await _enter(page, site, f"{FLOW}/export")
    picture = page.get_by_alt_text("O diagrama como será exportado")
    await expect(picture).to_have_js_property("complete", True)
    wide = await picture.evaluate("(img) => img.naturalWidth / img.naturalHeight")
    assert abs(wide - 16 / 9) < 0.02

    await page.get_by_label("PDF").check()
    await expect(page.get_by_role("link", name="Baixar PDF")).to_be_visible()
    await page.get_by_label("Legenda").uncheck()
    await expect(picture).to_have_attribute(
        "src",
        "/flows/pequeno/diagram.svg?version=live&theme=light&ratio=16x9&title=1&legend=0&actions=1&counts=0&ids=0",
    )
    await page.get_by_role("radio", name="Escuro").check()
    await expect(page.get_by_label("Link da imagem")).to_have_value(
        f"{site.url}/flows/pequeno/diagram.pdf?version=live&theme=dark&ratio=16x9&title=1&legend=0&actions=1&counts=0&ids=0"
    )
    await expect(page.get_by_role("radio", name="Escuro")).to_be_focused()
    await page.reload()
    await expect(page.get_by_label("Legenda")).not_to_be_checked()


async def test_from_any_page_ctrl_k_finds_and_goes_there(page: Page, site: Site) -> None:
    await _enter(page, site, "/profile")

    await page.keyboard.press("Control+k")
    await page.keyboard.type("pequeno bom")
    await expect(page.locator("#search .hit-row").first).to_contain_text("Pequeno e bom")
    await page.keyboard.press("Escape")
    await expect(page.locator("#search")).to_be_hidden()
    await page.get_by_role("link", name="Buscar ou ir para").click()
    await page.keyboard.type("servidor de e-mail")
    await page.keyboard.press("Enter")

    await expect(page).to_have_url(f"{site.url}/settings/mail")


async def test_everything_works_without_scripts(browser: Browser, site: Site) -> None:
    context = await browser.new_context(java_script_enabled=False, locale="pt-BR", base_url=site.url)
    page = await context.new_page()
    await _enter(page, site, "/flows")

    await page.get_by_label("Filtrar por nome").fill("pequeno")
    await page.get_by_role("button", name="Mostrar").click()
    await page.get_by_label("Mais sobre Pequeno e bom").click()
    await page.get_by_role("link", name="Versões").click()
    await page.get_by_label("Comparar a partir da v1").check()
    await page.get_by_role("button", name="Comparar as duas").click()
    await expect(page.get_by_role("heading", name="de v1 para rascunho")).to_be_visible()
    await page.goto(f"{FLOW}/versions/1/restore")
    await page.get_by_role("button", name="Restaurar a v1 como rascunho").click()
    assert (await edit.opened(site.runtime, "pequeno")).tree["title"] == "Pequeno"

    await page.goto(f"{FLOW}/export")
    await page.get_by_label("A4").check()
    await page.get_by_role("button", name="Mostrar assim").click()
    await expect(page.get_by_alt_text("O diagrama como será exportado")).to_have_attribute(
        "src", "/flows/pequeno/diagram.svg?version=live&theme=light&ratio=a4&title=1&legend=1&actions=1&counts=0&ids=0"
    )

    await page.goto("/flows/new")
    content = json.dumps(small(slug="de-fora", initial="NADA"))
    await page.get_by_label("Arquivo de um fluxo").set_input_files(
        {"name": "f.json", "mimeType": "application/json", "buffer": content.encode()}
    )
    await page.get_by_role("button", name="Importar o arquivo").click()
    await page.get_by_label("Texto do arquivo").fill(content.replace("NADA", "NOVO"))
    await page.get_by_role("button", name="Importar o arquivo").click()
    await expect(page).to_have_url(f"{site.url}/flows/de-fora/draft")

    await page.goto("/flows/de-fora/manage")
    await page.get_by_role("button", name="Arquivar o fluxo").click()
    await expect(page.locator("#flow-de-fora")).to_be_visible()
    await page.goto("/welcome")
    await page.get_by_role("button", name="Pular, quero explorar").click()
    await expect(page).to_have_url(f"{site.url}/flows")
    await context.close()
