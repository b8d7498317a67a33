"""Everything that the editor's page shows about one draft: loaded once, drawn once, said in the reader's language."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from markupsafe import Markup

from engine.core.checks.coverage import Cover, coverage
from engine.core.diagram.graph import graph
from engine.core.diagram.phases import Phase
from engine.core.flow import Flow, Source, State
from engine.core.platform_templates import Template
from engine.runtime import Runtime
from engine.services import clipboard, edit, publish, schedule, templates, undoing
from engine.services.clipboard import Held
from engine.services.draw import MOST_WITH_ACTIONS
from engine.services.edit import Opened
from engine.services.publish import Review
from engine.services.undoing import Standing
from web import i18n
from web.diagram_view import diagram
from web.findings import Shown, in_conflict, sel_in, shown
from web.i18n import gettext
from web.lens import COUNTS, Lens
from web.matrix import Matrix, Only, matrix
from web.presence_words import Person
from web.publish_words import Appointment, appointment
from web.rules_view import RulesView, rules_view
from web.selected import Numbers, numbers
from web.words import ago

__all__ = [
    "CHANGED",
    "DIAGRAM",
    "LOST",
    "RULES",
    "TABLE",
    "VIEWS",
    "Desk",
    "desk",
    "people_by_state",
    "source_names",
    "unreached",
]

DIAGRAM, TABLE, LOST, CHANGED, RULES = "diagram", "table", "lost", "changed", "rules"
VIEWS = (DIAGRAM, TABLE, LOST, CHANGED, RULES)
PARTS: Mapping[str, Only] = {LOST: "lost", CHANGED: "changed"}
"""Views that show a part of the table."""
"""`lost` is the table with nothing but the messages that nobody answers."""
NOTHING = "draft/_nothing.html"


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """What the templates of draft/ read."""

    slug: str
    title: str
    base: str
    view: str
    sel: str
    panel: str
    flow: Flow
    tree: Mapping[str, object]
    revision: int
    live: int | None
    changes: int
    changed: frozenset[str]
    findings: tuple[Shown, ...]
    people: Mapping[str, int]
    saved: str
    just_saved: bool = False
    dock_open: bool = False
    svg: Markup | None = None
    drawing_problem: str = ""
    shows: str = COUNTS
    """What is laid over the drawing."""
    phases: tuple[Phase, ...] = ()
    phase: int = 0
    """Of a large flow: its phases, and which one is drawn, 0 for all of them as boxes."""
    matrix: Matrix | None = None
    covers: Mapping[tuple[str, str], Cover] = field(default_factory=dict)
    rules: RulesView | None = None
    undo: Standing = field(default_factory=Standing)
    """What the reader may take back and make again."""
    templates: Mapping[tuple[str, str], Template] = field(default_factory=dict)
    """The platform's templates by name and language."""
    people_here: tuple[Person, ...] = ()
    """Who else has the draft open."""
    held: Held | None = None
    """What the reader copied and may paste."""
    numbers: Numbers = field(default_factory=Numbers)
    """Of what is selected."""
    going: tuple[int, int] | None = None
    """How many of how many proofs are made, while they go on."""
    booked: Appointment | None = None
    """The publication at a set time that is to come, or that was not made."""

    @property
    def errors(self) -> int:
        """Findings that block publishing."""
        return sum(finding.severity == "error" for finding in self.findings)

    @property
    def warnings(self) -> int:
        """Findings that do not."""
        return sum(finding.severity == "warning" for finding in self.findings)

    @property
    def tips(self) -> int:
        """Findings that teach."""
        return sum(finding.severity == "info" for finding in self.findings)

    @property
    def states(self) -> tuple[State, ...]:
        """The states in the order of the drawing."""
        return graph(self.flow).boxes

    @property
    def is_table(self) -> bool:
        """Whether the table is shown, whole or in part."""
        return self.view == TABLE or self.view in PARTS

    @property
    def sel_query(self) -> str:
        """The selection as the rest of a query."""
        return f"&sel={self.sel}" if self.sel else ""

    @property
    def show_query(self) -> str:
        """What is laid over the drawing as the rest of a query; nothing for the usual."""
        return f"&show={self.shows}" if self.shows != COUNTS else ""

    @property
    def is_big(self) -> bool:
        """Whether the drawing is too large to find something in it by looking."""
        return len(self.flow.states) > MOST_WITH_ACTIONS

    def source_name(self, source: Source) -> str:
        """Where events come from, in words."""
        return source_names()[source]


def source_names() -> dict[Source, str]:
    """Where events come from, in words."""
    return {
        Source.MESSAGE: gettext("Customer"),
        Source.PAYMENT: gettext("Payment"),
        Source.CLOCK: gettext("Clock"),
        Source.HUMAN: gettext("Person of the team"),
        Source.EFFECT: gettext("Result of an action"),
        Source.API: gettext("Your systems"),
    }


async def desk(
    runtime: Runtime,
    slug: str,
    *,
    view: str = "diagram",
    sel: str = "",
    panel: str = NOTHING,
    who: str = "",
    opened: Opened | None = None,
    just_saved: bool = False,
    pictures: bool = True,
    lens: Lens = Lens(),  # noqa: B008 - frozen
) -> Desk:
    """Load, check and draw the draft. `opened` is the draft when the caller has it already. Raises NotFound."""
    there = opened if opened is not None else await edit.opened(runtime, slug)
    review = await publish.review(runtime, slug, in_haste=True)
    base = f"/flows/{slug}/draft"
    findings = shown(there.flow, review.findings, base, view)
    changed = frozenset(change.name for change in review.changes)
    made = Desk(
        slug=slug,
        title=there.flow.title.within(i18n.current()),
        base=base,
        view=view if view in VIEWS else "diagram",
        sel=sel,
        panel=panel,
        flow=there.flow,
        tree=there.tree,
        revision=there.revision,
        live=review.live,
        changes=len(review.changes) if review.live is not None else 0,
        changed=changed if review.live is not None else frozenset(),
        findings=findings,
        people=people_by_state(review),
        saved=ago(there.draft.edited_at, runtime.clock.now()),
        just_saved=just_saved,
        templates=await templates.by_name(runtime),
        held=await clipboard.held(runtime, who),
        undo=await undoing.standing(runtime, slug, who),
        going=review.going,
        booked=appointment(await schedule.standing(runtime, slug), there.flow.timezone),
        numbers=await numbers(runtime, slug, there.flow, sel, review.live),
        # The page of rules tells what is wrong beside each rule.
        dock_open=view != RULES
        and any(sel_in(sel, found) for found in findings if found.severity == "error" or sel.startswith("p:")),
    )
    return await _pictured(runtime, made, lens) if pictures else made


def unreached(findings: Iterable[Shown]) -> frozenset[str]:
    """The states that no conversation gets to."""
    return frozenset(name for finding in findings if finding.code == "S1" for name in finding.states)


async def _pictured(runtime: Runtime, made: Desk, lens: Lens) -> Desk:
    """With the drawing, the table or the rules, whichever the view shows."""
    if made.view == RULES:
        return replace(made, rules=rules_view(made.flow, made.tree, made.findings, going=made.going is not None))
    if made.is_table:
        covers = coverage(made.flow, unreached(made.findings))
        about = [finding for finding in made.findings if sel_in(made.sel, finding)]
        marked = frozenset(name for finding in about for name in finding.transitions)
        table = matrix(
            made.flow,
            covers,
            in_conflict(made.findings),
            made.changed,
            marked if len(marked) > 1 else (),
            only=PARTS.get(made.view),
        )
        return replace(made, matrix=table, covers=covers)
    seen = await diagram(runtime, made.flow, made.base, made.sel, made.findings, made.people, lens)
    return replace(
        made, svg=seen.svg, drawing_problem=seen.problem, phases=seen.phases, phase=seen.phase, shows=lens.show
    )


def people_by_state(review: Review, version: int | None = None) -> dict[str, int]:
    """How many conversations stand in each state, over all versions or in one."""
    found: dict[str, int] = {}
    for row in review.standing:
        if version is None or row.version == version:
            found[row.state] = found.get(row.state, 0) + row.people
    return found
