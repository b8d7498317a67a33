"""W1 and W2: sizes that the channel takes, placeholders that exist."""

import pytest

from engine.core.checks.findings import Finding, Severity
from engine.core.checks.run import check
from engine.core.flow import (
    Agent,
    Button,
    Call,
    FieldType,
    Flow,
    ListMenu,
    ListRow,
    Media,
    Part,
    Send,
    SetPause,
    Template,
    TemplateButton,
)
from tests.factories import DAY, Arrow, a_flow, final, message, notify, number, say, state, text


def flow_saying(*actions, on: str = "pago", events=(), extra=()) -> Flow:
    return a_flow(
        [state("A", DAY), final("B")],
        [Arrow("t1", "A", on, "B", do=tuple(a.id for a in actions)), Arrow("t2", "A", "timeout", "B"), *extra],
        actions=actions,
        events=events,
        context=[number("toques", 0, 5)],
    )


def found(flow: Flow, code: str) -> list[Finding]:
    return [f for f in check(flow) if f.code == code]


def test_w2_known_placeholders_are_fine() -> None:
    words = "Oi {{contact.name|default:tudo bem}}, {{ toques }} de {{event.valor}} {{contact.tags}}"
    flow = flow_saying(say("oi", words), on="preco", events=[message("preco", priority=5, valor=FieldType.MONEY)])

    assert found(flow, "W2") == []


def test_w2_knows_where_a_person_left_off_and_nothing_else_of_the_conversation() -> None:
    """R72."""
    flow = flow_saying(say("oi", "{{conversation.left_at|default:lá}} {{conversation.state}} {{contact.tracking}}"))

    assert [f.facts["name"] for f in found(flow, "W2")] == ["conversation.state"]


def test_w2_an_unknown_placeholder_blocks() -> None:
    (unknown,) = found(flow_saying(say("oi", "Oi {{contact.nome}}, {{contact.nome}}")), "W2")

    assert unknown.severity is Severity.ERROR
    assert unknown.where.transitions == ("t1",)
    assert unknown.message == "O texto de oi usa {{contact.nome}}, que não existe"


def test_w2_event_data_must_come_with_every_event_that_starts_the_action() -> None:
    """R2: an event that falls back to an arrow's event starts its actions too."""
    events = [message("preco", falls_back_to="msg", priority=5, valor=FieldType.MONEY)]

    def saying(words: str, on: str) -> list[Finding]:
        return found(flow_saying(say("oi", words), on=on, events=events), "W2")

    assert saying("{{event.valor}}", "preco") == []
    assert [f.message for f in saying("{{event.valor}}", "msg")] == [
        "O texto de oi usa {{event.valor}}, que msg não traz"
    ]
    assert saying("{{event.valor|default:nada}}", "msg") == []
    assert len(saying("{{event.valor|default:nada}}", "pago")) == 1


def test_w2_an_action_that_nothing_starts_is_judged_by_the_names_alone() -> None:
    flow = a_flow(
        [final("A")],
        actions=[say("oi", "{{event.valor}}"), say("ola", "{{event.outro}}")],
        events=[message("preco", priority=5, valor=FieldType.MONEY)],
    )

    assert [f.facts["action"] for f in found(flow, "W2")] == ["ola"]


def test_w2_what_an_agent_falls_back_to_is_started_by_the_same_events() -> None:
    agent, spare = Agent(id="agente", prompt="Responda {{x.y}}", fallback="oi"), say("oi", "{{event.valor}}")
    flow = a_flow(
        [state("A", DAY), final("B")],
        [Arrow("t1", "A", "msg", "B", do=("agente",))],
        actions=[agent, spare],
        events=[message("preco", priority=5, valor=FieldType.MONEY)],
    )

    assert {f.facts["name"] for f in found(flow, "W2")} == {"x.y", "event.valor"}


@pytest.mark.parametrize(
    "action",
    [
        Send(id="a", template=Template("t", "pt_BR", ("{{falta}}",))),
        Send(id="a", template=Template("t", "pt_BR", header="{{falta}}")),
        Send(id="a", template=Template("t", "pt_BR", header=Media("image", "https://x.test/{{falta}}"))),
        Send(id="a", template=Template("t", "pt_BR", buttons=(TemplateButton(), TemplateButton(url="{{falta}}")))),
        Send(id="a", media=Media("image", "https://x.test/{{falta}}")),
        Send(id="a", media=Media("image", "https://x.test", text("{{falta}}"))),
        Send(id="a", parts=(Part(text=text("{{falta}}")),)),
        Send(id="a", parts=(Part(media=Media("image", "{{falta}}")),)),
        Send(id="a", text=text("oi"), buttons=(Button("b", text("{{falta}}")),)),
        Send(id="a", text=text("oi"), menu=ListMenu(text("{{falta}}"), ())),
        Send(id="a", text=text("oi"), menu=ListMenu(text("ver"), (ListRow("r", text("um"), text("{{falta}}")),))),
        Send(id="a", text=text("oi"), once_per="{{falta}}"),
        Call(id="a", url="https://x.test/{{falta}}"),
        Call(id="a", url="https://x.test", body='{"x": "{{falta}}"}'),
        Call(id="a", url="https://x.test", headers={"X": "{{falta}}"}),
        notify("a", "{{falta}}"),
        SetPause(id="a", duration=DAY, once_per="{{falta}}"),
    ],
)
def test_w2_every_text_of_every_kind_of_action_is_read(action) -> None:
    assert [f.facts["name"] for f in found(flow_saying(action), "W2")] == ["falta"]


LONG_ID, TITLE = "i" * 257, "t" * 25


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (
            Send(id="a", media=Media("image", "https://x.test/a.jpg", text("x" * 1_025))),
            "A legenda de a tem 1025 caracteres; o WhatsApp aceita 1024, então o resto sai como texto",
        ),
        (
            Send(id="a", text=text("x"), buttons=(Button(LONG_ID, text("ok")),)),
            f"O id “{'i' * 39}…” de a tem 257 caracteres; o WhatsApp aceita 256",
        ),
        (
            Send(id="a", text=text("x"), menu=ListMenu(text("v" * 21), (ListRow("r", text("ok")),))),
            f"O botão “{'v' * 21}” de a tem 21 caracteres; o WhatsApp aceita 20",
        ),
        (
            Send(id="a", text=text("x"), menu=ListMenu(text("ver"), (ListRow("r", text(TITLE)),))),
            f"A linha “{TITLE}” da lista de a tem 25 caracteres; o WhatsApp aceita 24",
        ),
        (
            Send(id="a", text=text("x"), menu=ListMenu(text("ver"), (ListRow("r", text("ok"), text("d" * 73)),))),
            f"A descrição “{'d' * 39}…” na lista de a tem 73 caracteres; o WhatsApp aceita 72",
        ),
        (
            Send(id="a", text=text("👍" * 2_049)),
            "O texto de a tem 4098 caracteres; o WhatsApp aceita 4096",
        ),
    ],
)
def test_w1_each_limit_is_told_with_its_place(action: Send, message: str) -> None:
    assert [f.message for f in found(flow_saying(action), "W1")] == [message]


def test_w1_what_whatsapp_does_not_take() -> None:
    rows = tuple(ListRow(f"r{i}", text("linha")) for i in range(11))
    buttons = tuple(Button(f"b{i}", text("um título longo demais" if i == 0 else "ok")) for i in range(4))
    long = Send(id="a", text=text("x" * 4_097), buttons=buttons, menu=ListMenu(text("ver"), rows))
    parts = Send(id="b", parts=(Part(text=text("x" * 4_097)),))
    fine = Send(id="c", text=text("x" * 1_024), buttons=buttons[1:], menu=ListMenu(text("ver"), rows[:10]))

    findings = found(flow_saying(long, parts, fine), "W1")

    assert all(f.severity is Severity.WARNING for f in findings)
    assert [f.message for f in findings] == [
        "A lista de a tem 11 linhas; o WhatsApp aceita 10",
        "O botão “um título longo demais” de a tem 22 caracteres; o WhatsApp aceita 20",
        "O texto de a sobre botões ou lista tem 4097 caracteres; o WhatsApp aceita 1024: sai em partes",
        "O texto de b tem 4097 caracteres; o WhatsApp aceita 4096",
        "a tem 4 botões; o WhatsApp aceita 3",
    ]
