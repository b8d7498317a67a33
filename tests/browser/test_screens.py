"""Every screen as an eye and a finger meet it, in both themes, at a desk and in a hand."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from engine import samples
from engine.core.permissions import Role
from engine.services import accounts, edit
from tests.browser import looks
from tests.browser.conftest import DESKTOP, PHONE, OpenPage
from tests.browser.desk import ACTOR, Shop, shop

DRAFT = "/flows/venda/draft"
AMBIGUOUS = {"from": "NEGOCIANDO", "on": "quer_comprar", "to": "AGUARDANDO_PIX"}
FAR = "s:RECUPERANDO"
"""A state at the other end of the drawing from where a first look begins."""
TALKS = (
    ("Rafael Tavares de Albuquerque Filho", ("oi", f"Quero COMPRAR, não abriu https://x.example/{'comprido-' * 12}")),
    ("Ana", ("oi", "Não quero mais receber")),
    ("Lu", ("oi",)),
)
"""People in three kinds of state, one with long words."""
SIZES = pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])


@dataclass
class Busy(Shop):
    """A shop with the sale of the samples, a draft with an error in it, and somebody at the checkout."""

    conversation: int
    conflict: str

    @property
    def screens(self) -> tuple[str, ...]:
        """Every page of somebody who is signed in."""
        talk = f"/conversations/{self.conversation}"
        return (
            "/flows", DRAFT, f"{DRAFT}?sel=s:NEGOCIANDO", f"{DRAFT}?sel=t:t20", f"{DRAFT}?sel=t:{self.conflict}",
            f"{DRAFT}?sel=new:state", f"{DRAFT}/search?q=pix", "/shortcuts", f"{DRAFT}?show=traffic",
            f"{DRAFT}?sel=new:transition", f"{DRAFT}?view=table", f"{DRAFT}?sel=names", f"{DRAFT}?sel=n:action:boas_vindas",
            f"{DRAFT}?view=table&sel=t:t42", f"{DRAFT}?view=lost", f"{DRAFT}?view=table&sel=c:NOVO:quer_comprar",
            f"{DRAFT}?view=rules", f"{DRAFT}?view=rules&sel=r:0", f"{DRAFT}?view=rules&sel=new:rule",
            f"{DRAFT}?view=rules&sel=new:rule&form=never", "/flows/venda/publish", "/flows/venda/simulator",
            "/flows/venda/versions", "/flows/venda/versions/1", "/flows/venda/versions/1/rollback",
            "/live", "/live?view=list", "/live?q=ninguém", talk, f"{talk}?tab=why", f"{talk}?tab=timeline",
            f"{talk}?tab=sends", f"{talk}?tab=data", "/nowhere", f"/phone/{self.token}",
        )  # fmt: skip


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def here(shared_sqlite_url: str, browser: Browser) -> AsyncIterator[Busy]:
    async with shop(shared_sqlite_url, samples.tree("venda")) as made:
        for name, words in TALKS:
            page = await browser.new_page(locale="pt-BR")
            await made.begin(page, name)
            for number, said in enumerate(words, start=1):
                await made.say(page, said)
                await expect(page.locator(".bub.lead")).to_have_count(number)
            await page.context.close()
        runtime = made.site.runtime
        change = {"op": "add_transition", "fields": AMBIGUOUS}
        opened = await edit.edit(runtime, "venda", change, actor=ACTOR)
        late = {"op": "set_state", "id": "NEGOCIANDO", "field": "deadline", "value": "4h"}
        await edit.edit(runtime, "venda", late, actor=ACTOR)
        number = await runtime.store.read(
            lambda tx: tx.value("SELECT id FROM conversation WHERE state = 'CHECKOUT_ENVIADO'")
        )
        yield Busy(made.site, made.token, number, max(opened.flow.arrows, key=lambda name: int(name[1:])))


async def _enter(here: Busy, page: Page, path: str = "") -> None:
    await here.sign_in(page, Role.ADMIN)
    if path:
        await page.goto(here.site.url + path)


@SIZES
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
async def test_all_words_stand_out_from_their_ground(
    here: Busy, open_page: OpenPage, size: tuple[int, int], dark: bool
) -> None:
    """WCAG AA, also in drawings, in placeholders, and on a button that says why it is closed."""
    page = await open_page(size=size, dark=dark)
    await page.goto(f"{here.site.url}/login")
    assert await looks.faint(page) == []
    await _enter(here, page)
    for path in here.screens:
        await page.goto(here.site.url + path)
        assert await looks.faint(page) == [], path


@pytest.mark.parametrize("locale", ["pt-BR", "en"])
@SIZES
async def test_no_page_scrolls_sideways_and_no_words_stick_out_of_their_box(
    here: Busy, open_page: OpenPage, size: tuple[int, int], locale: str
) -> None:
    page = await open_page(size=size, locale=locale)
    await _enter(here, page)
    for path in here.screens:
        await page.goto(here.site.url + path)
        assert await page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0, path
        assert await looks.outside(page) == [], path


async def test_everything_on_a_phone_is_large_enough_for_a_finger(here: Busy, open_page: OpenPage) -> None:
    page = await open_page(size=PHONE)
    await page.goto(f"{here.site.url}/login")
    assert await looks.small(page) == []
    await _enter(here, page)
    for path in here.screens:
        await page.goto(here.site.url + path)
        assert await looks.small(page) == [], path


@SIZES
@pytest.mark.parametrize("path", ["/flows/venda/publish", "/flows/venda/versions/1"])
async def test_a_drawing_to_look_at_is_drawn_so_that_its_words_can_be_read(
    here: Busy, open_page: OpenPage, size: tuple[int, int], path: str
) -> None:
    page = await open_page(size=size)
    await _enter(here, page, path)

    drawn = await page.evaluate("11 * document.querySelector('.canvas-still svg.fluxo').getScreenCTM().a")

    assert drawn >= 8.9


async def _in_sight(page: Page, sel: str) -> bool:
    """Whether the middle of the selected thing's words is inside the canvas."""
    found: bool = await page.evaluate(
        """(sel) => {
          const box = document.querySelector(`#canvas-view a[data-sel="${sel}"]:not([tabindex="-1"])`).getBoundingClientRect();
          const own = document.getElementById("canvas").getBoundingClientRect();
          const x = box.x + box.width / 2, y = box.y + box.height / 2;
          return x > own.left && x < own.right && y > own.top && y < own.bottom;
        }""",
        sel,
    )
    return found


@SIZES
async def test_what_a_link_selects_is_in_sight_wherever_the_view_was(
    here: Busy, open_page: OpenPage, size: tuple[int, int]
) -> None:
    page = await open_page(size=size)
    await _enter(here, page, f"{DRAFT}?sel=s:NOVO")
    assert await _in_sight(page, "s:NOVO")

    await page.goto(f"{here.site.url}{DRAFT}?sel={FAR}")
    assert await _in_sight(page, FAR)
    await page.goto(f"{here.site.url}{DRAFT}?sel=t:t1")
    assert await _in_sight(page, "t:t1")


@SIZES
async def test_a_drawing_that_fills_its_canvas_leaves_no_half_of_it_empty(
    here: Busy, open_page: OpenPage, size: tuple[int, int]
) -> None:
    """The first state is at the upper edge, so it is not brought to the middle, nor under the buttons there."""
    page = await open_page(size=size)
    await _enter(here, page, f"{DRAFT}?sel=t:t1")

    above, under = await page.evaluate(
        """() => {
          const own = document.getElementById("canvas").getBoundingClientRect();
          const box = document.getElementById("s-NOVO").getBoundingClientRect();
          const buttons = [...document.querySelectorAll("#canvas .float")].filter((one) => one.getBoundingClientRect().top < own.top + 60);
          return [box.top - own.top, box.top - Math.max(...buttons.map((one) => one.getBoundingClientRect().bottom))];
        }"""
    )

    assert above < 180
    assert under >= 0


async def test_a_comparison_begins_at_its_first_change_on_a_phone_too(here: Busy, open_page: OpenPage) -> None:
    page = await open_page(size=PHONE)
    await _enter(here, page, "/flows/venda/compare?from=1&to=draft")

    assert await page.evaluate(
        """() => {
          const link = document.querySelector('.difft a[href^="#d-"]');
          const box = document.getElementById(decodeURIComponent(link.hash.slice(1))).getBoundingClientRect();
          const frame = document.querySelector(".canvas").getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
          return x > frame.left && x < frame.right && y > frame.top && y < frame.bottom;
        }"""
    )


async def test_the_live_drawing_begins_at_a_box_on_a_phone_too(here: Busy, open_page: OpenPage) -> None:
    page = await open_page(size=PHONE)
    await _enter(here, page, "/live?view=diagram")

    assert await page.evaluate(
        """() => {
          const frame = document.querySelector(".live-svg").getBoundingClientRect();
          const box = document.querySelector(".live-svg .node").getBoundingClientRect();
          return box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= frame.bottom;
        }"""
    )


async def test_the_view_keeps_its_scale_in_a_canvas_of_another_size(here: Busy, open_page: OpenPage) -> None:
    scale = "document.querySelector('#canvas-view svg.fluxo').getScreenCTM().a"
    page = await open_page(size=PHONE)
    await _enter(here, page, DRAFT)
    before = await page.evaluate(scale)

    await page.goto(f"{here.site.url}{DRAFT}?sel=t:{here.conflict}")  # its problem takes room from the canvas
    assert await page.evaluate(scale) == pytest.approx(before, rel=0.01)
    await page.set_viewport_size({"width": 844, "height": 390})
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert await page.evaluate(scale) == pytest.approx(before, rel=0.01)


async def test_a_click_anywhere_on_a_box_selects_and_marks_it(here: Busy, open_page: OpenPage) -> None:
    page = await open_page(dark=True)
    await _enter(here, page, f"{DRAFT}?sel=s:NOVO")
    box = await page.locator("#s-ENGAJADO").bounding_box()
    assert box is not None

    await page.mouse.click(box["x"] + box["width"] * 0.7, box["y"] + 8)  # between the name and the number

    await expect(page.locator("#panel-title")).to_have_text("ENGAJADO")
    await expect(page.locator(".node.sel")).to_have_attribute("id", "s-ENGAJADO")
    drawn = page.locator("#s-ENGAJADO > path[class*='-bd']").first
    accent = "rgb(165, 168, 255)"
    await expect(drawn).to_have_css("stroke", accent)

    await page.locator("#panel .tline", has_text="pediu o preço").first.click()
    await expect(page.locator(".node.sel")).to_have_count(0)
    await expect(page.locator(".edge.sel path:not(.hit)").first).to_have_css("stroke", accent)


async def test_the_chosen_cell_of_the_table_is_marked_and_its_headings_stay(here: Busy, open_page: OpenPage) -> None:
    page = await open_page()
    await _enter(here, page, f"{DRAFT}?view=table")
    cell = page.locator('.cell[data-sel="t:t8"]')

    await cell.click()
    await expect(page.locator("#panel-title")).to_have_text("pediu o preço")
    await expect(page.locator(".cell[aria-current]")).to_have_attribute("data-sel", "t:t8")
    await page.locator('.cell[data-sel="t:t45"]').scroll_into_view_if_needed()

    await expect(cell).not_to_be_in_viewport()
    await expect(page.locator(".mx thead th", has_text="mandou mensagem")).to_be_in_viewport()


async def test_a_link_to_an_arrow_brings_its_cell_of_the_table_into_sight(here: Busy, open_page: OpenPage) -> None:
    page = await open_page(size=PHONE)

    await _enter(here, page, f"{DRAFT}?view=table&sel=t:t45")

    await expect(page.locator('.cell[data-sel="t:t45"]')).to_be_in_viewport()


async def test_the_problems_and_the_panel_never_lie_on_each_other_on_a_phone(here: Busy, open_page: OpenPage) -> None:
    page = await open_page(size=PHONE)
    for path in (DRAFT, f"{DRAFT}?sel=t:{here.conflict}", f"{DRAFT}?view=table&sel=t:t8"):
        await _enter(here, page, path)
        dock, panel = await page.locator("#problems").bounding_box(), await page.locator("#panel").bounding_box()
        last = await page.locator("#panel > :last-child").bounding_box()
        assert dock is not None and panel is not None and last is not None
        assert dock["y"] + dock["height"] <= panel["y"] + 1
        assert last["y"] + last["height"] <= panel["y"] + panel["height"] + 1, "the panel is as high as what it holds"


async def test_every_form_at_the_door_has_the_picture_beside_it(here: Busy, open_page: OpenPage) -> None:
    page, picture = await open_page(), ".login-d > svg.fluxo"
    await page.goto(f"{here.site.url}/flows")  # a page that asks to sign in first
    await expect(page.locator(picture)).to_be_visible()
    await page.get_by_label("E-mail").fill("ninguem@trilho.test")
    await page.get_by_label("Senha").fill("não é esta")
    await page.get_by_role("button", name="Entrar").click()
    await expect(page.get_by_text("E-mail ou senha não conferem.")).to_be_visible()
    await expect(page.locator(picture)).to_be_visible()
    link = await accounts.invite(here.site.runtime, "bia@trilho.test", Role.MARKETER, ACTOR)
    for token in (link, "used"):
        await page.goto(f"{here.site.url}/setup/{token}")
        await expect(page.locator(picture)).to_be_visible()


async def test_a_field_that_is_wrong_still_shows_that_it_has_the_focus(here: Busy, open_page: OpenPage) -> None:
    page = await open_page(dark=True)
    await page.goto(f"{here.site.url}/login")
    await page.get_by_label("E-mail").fill("ninguem@trilho.test")
    await page.get_by_label("Senha").fill("não é esta")
    await page.get_by_role("button", name="Entrar").click()

    field = page.get_by_label("Senha")
    await expect(field).to_be_focused()
    await expect(field).to_have_css("outline-color", "rgb(165, 168, 255)")
    await expect(field).to_have_css("border-color", "rgb(255, 133, 119)")


async def test_the_other_theme_shows_the_same_place(here: Busy, open_page: OpenPage) -> None:
    page = await open_page()
    await here.sign_in(page, Role.PUBLISHER)  # whose account keeps the theme
    await page.goto(f"{here.site.url}{DRAFT}?sel=s:NOVO")
    await page.locator("#panel .tline", has_text="mandou mensagem").first.click()
    await expect(page.locator("#panel-title")).to_have_text("mandou mensagem")

    await page.get_by_role("button", name="Tema escuro").click()

    await expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    await expect(page.locator("#panel-title")).to_have_text("mandou mensagem")


async def test_a_person_pauses_the_bot_from_a_phone(here: Busy, open_page: OpenPage) -> None:
    page = await open_page(size=PHONE)
    await _enter(here, page, f"/conversations/{here.conversation}")

    await page.get_by_role("button", name="Pausar 30 min").click()

    await expect(page.get_by_text("relógio parado")).to_be_visible()


async def test_a_phone_shows_whole_what_the_composer_says_before_a_word_is_written(
    here: Busy, open_page: OpenPage
) -> None:
    page = await open_page(size=PHONE)
    await _enter(here, page, f"/conversations/{here.conversation}")

    assert await page.evaluate("words.scrollHeight <= words.clientHeight && words.scrollWidth <= words.clientWidth")
    await expect(page.locator("#words")).to_have_css("white-space-collapse", "preserve")
    assert await page.evaluate("getComputedStyle(words, '::placeholder').whiteSpace") != "nowrap"
