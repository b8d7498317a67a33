"""Choices on a channel without buttons: they stand as numbered lines, and an answer names one by number or by title."""

from collections.abc import Sequence

from engine.core.folding import words

LONGEST = 8
"""Words of an answer that may name a choice; whoever says more, says something."""
_BEFORE_A_NUMBER = frozenset({"a", "o", "opcao", "numero", "n", "item", "the", "option", "number"})
_SPELT = {
    name: number
    for number, names in enumerate(
        (
            ("um", "uma", "one"), ("dois", "duas", "two"), ("tres", "three"), ("quatro", "four"), ("cinco", "five"),
            ("seis", "six"), ("sete", "seven"), ("oito", "eight"), ("nove", "nine"), ("dez", "ten"),
        ),
        start=1,
    )
    for name in names
}  # fmt: skip


def chosen(text: str, titles: Sequence[str]) -> int | None:
    """The place, from 0, of the choice that an answer means: "2", "opção 2", "dois", or its title."""
    said = words(text)
    if not said or len(said) > LONGEST:
        return None
    same = [place for place, title in enumerate(titles) if words(title) == said]
    if len(same) == 1:
        return same[0]
    *before, last = said
    number = int(last) if last.isascii() and last.isdigit() and len(last) < 3 else _SPELT.get(last, 0)
    if not 1 <= number <= len(titles) or not _BEFORE_A_NUMBER.issuperset(before):
        return None
    return number - 1
