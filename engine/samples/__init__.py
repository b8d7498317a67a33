"""The flows that come with the product, as documents."""

from importlib.resources import files

from engine.notation import load

_NAMES = ("venda", "venda-literal")
EMPTY = "em-branco"
"""The smallest flow that may be published: where somebody begins who wants to draw everything themselves."""

__all__ = ["EMPTY", "names", "source", "tree"]


def names() -> tuple[str, ...]:
    """The slugs, the one that is published on first start first."""
    return _NAMES


def source(slug: str) -> str:
    """The text of a sample's file. Raises KeyError where there is none."""
    if slug not in (*_NAMES, EMPTY):
        raise KeyError(slug)
    return files(__name__).joinpath(f"{slug}.yaml").read_text(encoding="utf-8")


def tree(slug: str) -> dict[str, object]:
    """A sample's document as a tree of its own, to be changed at will. Raises KeyError where there is none."""
    found = load(source(slug))
    if not isinstance(found, dict):
        raise TypeError(f"the sample {slug} is not a table")
    return found
