"""Which names a guard may read, and which of them may be missing."""

from engine.core.flow import Field, FieldType
from engine.core.guards.kinds import Declared, Kind
from engine.core.guards.scope import declare, scope_of
from tests.factories import a_flow, message, number, state


def test_a_scope_holds_context_event_contact_and_clock_names() -> None:
    fields = {
        "toques": number("toques", 0, 5),
        "plano": Field(name="plano", type=FieldType.ENUM, values=("a", "b"), optional=True),
    }

    scope = declare(fields, {"valor": FieldType.MONEY, "quando": FieldType.TIMESTAMP})

    assert scope["toques"] == Declared(Kind.INT, min=0, max=5)
    assert scope["plano"] == Declared(Kind.TEXT, optional=True, values=("a", "b"))
    assert scope["event.valor"] == Declared(Kind.INT, optional=True)
    assert scope["event.quando"] == Declared(Kind.TIMESTAMP, optional=True)
    assert scope["contact.name"].optional
    assert not scope["contact.tags"].optional
    assert scope["contact.tags"].kind is Kind.LIST
    assert scope["last_inbound"].past
    assert not scope["last_inbound"].optional
    assert scope["state_age"].min == 0


def test_data_of_an_event_may_always_be_missing() -> None:
    """R2: an arrow also serves the events that fall back to its own, and those carry what they carry."""
    flow = a_flow([state("A")], events=[message(texto=FieldType.TEXT)])

    assert scope_of(flow, "msg")["event.texto"] == Declared(Kind.TEXT, optional=True)
    assert scope_of(flow, "msg") == declare(flow.context, flow.events["msg"].data)
    assert "event.texto" not in scope_of(flow, "timeout")
    assert "event.texto" not in scope_of(flow, "desconhecido")
