"""What a document may say and this version's engine does not do yet: refused at publication, never pretended."""

from engine.core.flow import Agent, Call, Flow, StateKind


def missing(flow: Flow) -> tuple[str, ...]:
    """The places of the document that nothing would act on, sorted."""
    actions = [f"actions.{a.id}" for a in flow.actions.values() if isinstance(a, Call | Agent)]
    states = [f"states.{s.name}" for s in flow.states.values() if s.kind is StateKind.EFFECT]
    return tuple(sorted((*actions, *states)))
