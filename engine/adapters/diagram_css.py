"""static/diagram.css, made from the palette: `python -m engine.adapters.diagram_css > static/diagram.css`."""

import sys
from collections.abc import Iterable, Mapping

from engine.adapters.svg import FONTS
from engine.core.diagram.palette import DARK, KINDS, LIGHT, TOKENS

_KEPT = ("canvas", "hair", "accent", "err", "add", "add-bg", "del", "del-bg", "chg", "chg-bg", "fade", "fadeline")
_INVOLVED = ".sel, .cur, .rel, .err, .way, .d-add, .d-chg, .d-del"
_LOOKED_AT = ".lit"
_LINE = "stroke: var(--d-fadeline);"
_FIXED = """
svg.fluxo { display: block; }
svg.fluxo text { font-family: FONTS; font-feature-settings: normal; white-space: pre; }
.fluxo .hit { fill: none; stroke: transparent; stroke-width: 14; pointer-events: stroke; }
.fluxo a { cursor: pointer; }
.fluxo a:hover text { text-decoration: underline; }
.fluxo a:focus { outline: none; }
.fluxo a:focus-visible { outline: 2px solid var(--d-accent); outline-offset: 1px; }
.fluxo a.on text { fill: var(--d-accent); text-decoration: underline; }
.fluxo .edge.sel [aria-hidden] > :not(.hit) { stroke: var(--d-accent); }
.fluxo .edge.sel [aria-hidden] > path:not(.hit) { stroke-width: 2.8; }
.fluxo .edge.sel [aria-hidden] > polygon { fill: var(--d-accent); }
.fluxo .node.sel > path[class*="-bd"] { stroke: var(--d-accent); }
.fluxo .node.sel > path:first-of-type, .fluxo .node.cur > path:first-of-type {
  filter: drop-shadow(0 0 5px color-mix(in srgb, var(--d-accent) 55%, transparent));
}
"""


def css() -> str:
    """The tokens of both themes, the classes that use them, and the manners of a drawing."""
    rules = [
        "/* Made by engine/adapters/diagram_css.py from the palette; edit there. */",
        f":root {{ {_variables(LIGHT)} }}",
        f"@media (prefers-color-scheme: dark) {{ :root:not([data-theme=light]) {{ {_variables(DARK)} }} }}",
        f"[data-theme=dark] {{ {_variables(DARK)} }}",
        *(
            f".df-{t} {{ fill: var(--d-{t}); }} .ds-{t} {{ stroke: var(--d-{t}); }} .dc-{t} {{ color: var(--d-{t}); }}"
            for t in TOKENS
        ),
        _FIXED.strip().replace("FONTS", FONTS),
        *(f".fluxo .node.k-{kind} > path {{ stroke-width: 1.4; }}" for kind in KINDS.values()),
        ".fluxo .node.sel > path { stroke-width: 3; } .fluxo .node.cur > path { stroke-width: 3.5; }",
        ".fluxo .node.err > path { stroke-width: 3; }",
        ".fluxo .node:is(.d-add, .d-chg, .d-del) > path { stroke-width: 2.4; }",
        ".fluxo a:target text { text-decoration: underline; text-decoration-thickness: 2px; }",
        ".fluxo a:target { outline: 2px solid var(--d-accent); outline-offset: 3px; }",
        (
            f".fluxo.quiet :is(.node, .edge):not({_INVOLVED}), .fluxo.lit :is(.node, .edge):not({_LOOKED_AT}) "
            f"{{ {_faded()} }}"
        ),
        f".fluxo.quiet .edge:not({_INVOLVED}) [aria-hidden] > :is(path:not(.hit), polygon) {{ {_LINE} }}",
        f".fluxo.quiet .edge:not({_INVOLVED}) [aria-hidden] > polygon {{ fill: var(--d-fadeline); }}",
    ]
    return "\n".join(rules) + "\n"


def _variables(values: Mapping[str, str]) -> str:
    return _joined(f"--d-{token}: {colour}" for token, colour in values.items())


def _faded() -> str:
    """Grey instead of opacity, so that the paper behind labels stays solid."""
    return _joined(f"--d-{token}: var(--d-{_grey(token)})" for token in TOKENS if token not in _KEPT)


def _grey(name: str) -> str:
    if name.endswith("-bg") or (name.startswith("heat") and not name.endswith("-fg")):
        return "canvas"
    return "fadeline" if name.endswith("-bd") or name == "edge" else "fade"


def _joined(declarations: Iterable[str]) -> str:
    return "; ".join(declarations) + ";"


if __name__ == "__main__":
    sys.stdout.write(css())
