"""The part of an arrow's panel about its A/B test: the variants, their shares, and what became of each."""

from dataclasses import dataclass

from babel.numbers import format_percent

from engine.core.conversion import LEAST, Rate
from engine.core.flow import Flow, Transition
from engine.core.splits import Branch, split_of
from engine.services.splits import Results
from web import i18n
from web.fields import Field, Fields, Typed
from web.flow_words import Line, line
from web.i18n import gettext, ngettext
from web.words import number

__all__ = ["SplitPanel", "Variant", "branches", "split_panel"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One branch: its letter, the points from `low` that are its own, and what became of its contacts, "" for nothing
    known. `typed`: its share is typed in; that of the last one is what the others leave.
    """

    letter: str
    line: Line
    low: int
    share: str
    typed: bool
    told: str
    rate: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitPanel:
    """The test, or an arrow that may begin one, which has no variants. `verdict` says which is better, `sure` that it
    is sure; `problem` why no test can begin.
    """

    place: str
    field: Field | None
    variants: tuple[Variant, ...]
    verdict: str = ""
    sure: bool = False
    problem: str = ""


def branches(flow: Flow, arrow: Transition) -> tuple[Branch, ...]:
    """The branches of the arrow's split, in their order; none where it is none."""
    return tuple(b for b in flow.branches.values() if split_of(b.arrow) == split_of(arrow))


def split_panel(
    flow: Flow, arrow: Transition, place: str, results: Results | None, live: int | None, typed: Typed | None
) -> SplitPanel:
    """`results` are those of the live version, where the arrow is a branch of a split there too."""
    split = branches(flow, arrow)
    if not split:
        problem = typed.problem if typed is not None and typed.key == "shares" else ""
        return SplitPanel(place=place, field=None, variants=(), problem=problem)
    shares = {branch.arrow.id: branch.arrow.share for branch in split}
    fields = Fields(f"{place}/shares", {"shares": shares}, typed)
    fields.add("shares", tuple(str(share) for share in list(shares.values())[:-1]), keep_empty=True)
    field = fields.made["shares"]
    entered = field.value if isinstance(field.value, tuple) else ()
    rates = {r.branch.arrow.id: r.rate for r in results.branches} if results is not None else {}
    return SplitPanel(
        place=place,
        field=field,
        variants=tuple(
            Variant(
                letter=branch.letter,
                line=line(flow, branch.arrow),
                low=branch.low,
                share=entered[n] if n < len(entered) else str(branch.arrow.share),
                typed=n < len(split) - 1,
                told=_told(rates[branch.arrow.id]) if branch.arrow.id in rates else "",
                rate=_range(rates[branch.arrow.id]) if branch.arrow.id in rates else "",
            )
            for n, branch in enumerate(split)
        ),
        verdict=_verdict(results, live),
        sure=results is not None and results.winner is not None,
    )


def _told(rate: Rate) -> str:
    people = ngettext("%(num)s customer", "%(num)s customers", rate.people) % {"num": number(rate.people)}
    won = ngettext("%(num)s bought", "%(num)s bought", rate.won) % {"num": number(rate.won)}
    return f"{people}, {won}"


def _range(rate: Rate) -> str:
    if not rate.people:
        return ""
    values = {"rate": _percent(rate.share), "low": _percent(rate.low), "high": _percent(rate.high)}
    return gettext("%(rate)s (between %(low)s and %(high)s)") % values


def _percent(share: float) -> str:
    return str(format_percent(round(share, 3), "#,##0.#%", locale=i18n.current().replace("-", "_")))


def _verdict(results: Results | None, live: int | None) -> str:
    if live is None or results is None:
        return gettext("What became of each variant is counted from when the test is published.")
    values = {"version": results.since, "least": LEAST}
    if results.winner is not None:
        told = gettext(
            "Variant %(letter)s sells more than the others, with 99%% certainty. Counted since v%(version)s."
        )
        return told % {**values, "letter": results.winner.branch.letter}
    if min(result.rate.people for result in results.branches) < LEAST:
        told = gettext(
            "It is too early to say which is better: each variant needs %(least)s customers. Counted since v%(version)s."
        )
        return told % values
    return gettext(
        "It is too early to say which is better: the difference may be chance. Counted since v%(version)s."
    ) % (values)
