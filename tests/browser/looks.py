"""What an eye would see on a page, measured: how dark words are on their ground, whether they fit, how large things are to touch."""

from playwright.async_api import Page

_SHARED = """
const shown = (el) => el.checkVisibility({ opacityProperty: true, visibilityProperty: true });
const named = (el) => `${el.localName}.${el.getAttribute("class") || ""}`.trim();
const hidden = (el) => !el || !shown(el) || el.closest(".vh, .sprite, [aria-hidden=true] .hit");
function words() {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
  while (walker.nextNode()) {
    const text = walker.currentNode.data.trim(), el = walker.currentNode.parentElement;
    if (text && !hidden(el) && !el.closest("script, template, option, title")) found.push([walker.currentNode, el, text]);
  }
  return found;
}
function box(node) { const range = document.createRange(); range.selectNodeContents(node); return range.getBoundingClientRect(); }
"""

_FAINT = (
    "(least) => {"
    + _SHARED
    + """
  const paper = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const known = new Map();
  function rgba(colour) {
    if (!known.has(colour)) {
      paper.clearRect(0, 0, 1, 1); paper.fillStyle = colour; paper.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = paper.getImageData(0, 0, 1, 1).data;
      known.set(colour, [r, g, b, a / 255]);
    }
    return known.get(colour);
  }
  const over = (top, under) => [0, 1, 2].map((n) => top[n] * top[3] + under[n] * (1 - top[3])).concat(1);
  const light = (c) => {
    const [r, g, b] = c.map((v) => { const s = v / 255; return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
  // The grounds from the page inwards, with the opacity of each box.
  function grounds(el) {
    const line = [];
    for (let at = el; at; at = at.parentElement) line.unshift(at);
    let ground = rgba(getComputedStyle(document.documentElement).backgroundColor), shade = [];
    for (const at of line) {
      const style = getComputedStyle(at);
      if (Number(style.opacity) < 1) shade.push([Number(style.opacity), ground]);
      if (at instanceof HTMLElement) ground = over(rgba(style.backgroundColor), ground);
    }
    return [ground, shade];
  }
  // In a drawing the ground is the last shape before the words that is filled where they stand.
  function paperOf(el, ground) {
    const svg = el.ownerSVGElement, at = el.getBBox();
    const point = new DOMPoint(at.x + at.width / 2, at.y + at.height / 2);
    for (const shape of svg.querySelectorAll("path, polygon")) {
      if (!(shape.compareDocumentPosition(el) & Node.DOCUMENT_POSITION_FOLLOWING)) break;
      const fill = getComputedStyle(shape).fill;
      if (fill !== "none" && !shape.closest("defs") && shape.isPointInFill(point)) ground = over(rgba(fill), ground);
    }
    return ground;
  }
  const found = new Set();
  function judge(el, colour, text, drawn) {
    let [ground, shade] = grounds(el);
    if (drawn) ground = paperOf(el, ground);
    let ink = over(rgba(colour), ground);
    for (const [share, under] of shade.reverse()) {
      ink = over([...ink.slice(0, 3), share], under); ground = over([...ground.slice(0, 3), share], under);
    }
    const reached = ratio(ink, ground);
    if (reached < least) found.add(`${reached.toFixed(2)} ${named(el)} “${text.slice(0, 40)}”`);
  }
  for (const [, el, text] of words()) {
    if (el.closest(":disabled")) continue;
    const drawn = el instanceof SVGTextElement;
    judge(el, getComputedStyle(el)[drawn ? "fill" : "color"], text, drawn);
  }
  for (const el of document.querySelectorAll("input:not([type=hidden], [type=radio], [type=checkbox]), select, textarea")) {
    if (hidden(el) || el.disabled) continue;
    const pseudo = !el.value && el.placeholder;
    judge(el, getComputedStyle(el, pseudo ? "::placeholder" : null).color, pseudo || el.value || "", false);
  }
  return [...found];
}"""
)

_OUTSIDE = (
    "() => {"
    + _SHARED
    + """
  const found = new Set();
  for (const [node, el, text] of words()) {
    if (el instanceof SVGElement) continue;
    const at = box(node);
    for (let up = el; up && up !== document.body; up = up.parentElement) {
      const style = getComputedStyle(up), own = up.getBoundingClientRect();
      if (style.display === "inline" || style.display === "contents") continue;
      if (style.overflowX !== "visible" || ["absolute", "fixed"].includes(style.position)) break;
      if (at.right > own.right + 1 || at.left < own.left - 1) { found.add(`${named(up)} “${text.slice(0, 40)}”`); break; }
    }
  }
  return [...found];
}"""
)

_CUT = (
    "() => {"
    + _SHARED
    + """
  return [...document.querySelectorAll(".scroll-x")].filter((el) => shown(el) && el.scrollWidth > el.clientWidth + 1)
    .map((el) => `${named(el.firstElementChild)}: ${el.scrollWidth - el.clientWidth} px`);
}"""
)

_SMALL = (
    "([control, word]) => {"
    + _SHARED
    + """
  const found = new Set(), alike = new Map();
  for (const el of document.querySelectorAll("a[href], button, summary, select, textarea, input:not([type=hidden])")) {
    if (hidden(el) || el.disabled || el.closest("svg, .skip")) continue;
    alike.set(named(el), (alike.get(named(el)) || 0) + 1);
    if (alike.get(named(el)) > 4) continue; // of a kind, a few tell of all
    el.scrollIntoView({ block: "center", inline: "center" });
    const at = el.getBoundingClientRect(), x = at.x + at.width / 2, y = at.y + at.height / 2;
    const own = [el, el.labels?.[0]?.contains(el) ? el.labels[0] : el];
    const hits = (high) => { const top = document.elementFromPoint(x, high); return own.some((one) => one.contains(top)); };
    if (!hits(y)) continue; // under a sheet that is open
    const text = [...el.parentNode.childNodes].some((node) => node.nodeType === 3 && node.data.trim().length > 1);
    if (getComputedStyle(el).display === "inline" && text) continue; // as high as its line
    const least = el.matches(".btn, .in, .tok, summary, select, textarea, input") || !el.matches(".st, .chip, .why, .crumb, .linkish") ? control : word;
    let high = 1;
    for (const step of [-1, 1]) for (let n = 1; n < least && hits(y + step * n); n++) high++;
    if (high < least - 1) found.add(`${high} px ${named(el)} “${(el.getAttribute("aria-label") || el.textContent || el.name).trim().slice(0, 40)}”`);
  }
  return [...found];
}"""
)


async def faint(page: Page, least: float = 4.5) -> list[str]:
    """Words, in a drawing too, whose colour is too near that of their ground; what is disabled may be."""
    found: list[str] = await page.evaluate(_FAINT, least)
    return found


async def outside(page: Page) -> list[str]:
    """Words that stick out of a box at its side."""
    found: list[str] = await page.evaluate(_OUTSIDE)
    return found


async def cut(page: Page) -> list[str]:
    """Tables of which a part cannot be seen without moving them sideways."""
    found: list[str] = await page.evaluate(_CUT)
    return found


async def small(page: Page, control: int = 44, word: int = 24) -> list[str]:
    """What is too low for a finger: controls, and words that are links by themselves; those in a sentence may be."""
    found: list[str] = await page.evaluate(_SMALL, [control, word])
    return found
