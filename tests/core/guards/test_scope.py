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
    assert scope["event.valor"] == Declared(Kind.INT)
    assert scope["event.quando"] == Declared(Kind.TIMESTAMP)
    assert scope["contact.name"].optional
    assert not scope["contact.tags"].optional
    assert scope["contact.tags"].kind is Kind.LIST
    assert scope["last_inbound"].past
    assert not scope["last_inbound"].optional
    assert scope["state_age"].min == 0


def test_data_that_a_falling_event_may_lack_is_optional() -> None:
    """R2: an arrow on the general message also serves the events that fall back to it."""
    flow = a_flow(
        [state("A")],
        events=[
            message(texto=FieldType.TEXT, partes=FieldType.INT),
            message("preco", falls_back_to="msg", texto=FieldType.TEXT, partes=FieldType.TEXT),
            message("foto", texto=FieldType.TEXT),
        ],
    )

    general = scope_of(flow, "msg")

    assert not general["event.texto"].optional
    assert general["event.partes"] == Declared(Kind.INT, optional=True)
    assert not scope_of(flow, "preco")["event.partes"].optional
    assert "event.texto" not in scope_of(flow, "timeout")
    assert "event.texto" not in scope_of(flow, "desconhecido")
