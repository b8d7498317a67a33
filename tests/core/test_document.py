import json
import random
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.core import document_messages
from engine.core.canonical import canonical
from engine.core.document import read, read_text, sentence
from engine.core.errors import InvalidDocument
from engine.core.flow import DAY, HOUR, MINUTE, SECOND, FieldType, Look, Source, StateKind, TemplateButton
from tests.core.documents import SMALL, changed, codes, mistakes, small


def test_a_small_document_becomes_a_flow():
    flow = read(small())

    assert flow.slug == "pequeno"
    assert flow.initial == "NOVO"
    assert flow.general_message == "msg"
    assert flow.states["FALANDO"].deadline == (20 * HOUR, DAY)
    assert flow.states["FALANDO"].jitter == 10 * MINUTE
    assert flow.ignored == {("PAGO", "msg")}
    assert flow.arrows["t3"].otherwise
    assert flow.arrows["g1"].excepting == {"PAGO"}
    assert flow.debounce.quiet == 5 * SECOND
    assert flow.debounce.ceiling == 20 * SECOND


def test_a_stored_text_is_the_flow_of_its_tree_and_read_once():
    text = canonical(small())

    stored, own = read_text(text), read(small())
    assert (stored.sha256, stored.transitions, stored.states) == (own.sha256, own.transitions, own.states)
    assert read_text(text) is stored


def test_timeout_and_exhausted_always_exist():
    flow = read(small())

    assert flow.events["timeout"].source is Source.CLOCK
    assert flow.events["exhausted"].source is Source.CLOCK


def test_every_message_event_brings_text_media_and_button():
    flow = read(small())

    assert flow.events["preco"].data == {"text": FieldType.TEXT, "media": FieldType.TEXT, "button": FieldType.TEXT}
    assert flow.events["pago"].data == {"transacao": FieldType.TEXT}


def test_null_means_not_set():
    tree = changed("states.NOVO.waiting_for", None)
    tree["actions"]["oi"]["template"] = None

    flow = read(tree)

    assert flow.actions["oi"].template is None
    assert flow.states["NOVO"].waiting_for is None


@pytest.mark.parametrize(
    ("path", "value", "place", "code"),
    [
        ("transitions.0.to", "FALNDO", "transitions[0].to", "unknown_state"),
        ("transitions.0.from", "X", "transitions[0].from", "unknown_state"),
        ("transitions.0.on", "msgg", "transitions[0].on", "unknown_event"),
        ("transitions.0.do", ["ola"], "transitions[0].do[0]", "unknown_action"),
        ("transitions.0.to", 3, "transitions[0].to", "not_text"),
        ("transitions.0.whem", "x", "transitions[0].whem", "unknown_key"),
        ("transitions.1.id", "t1", "transitions[1].id", "duplicate_id"),
        ("transitions.1.when", "toques <", "transitions[1].when", "guard"),
        ("transitions.1.when", "toques + 1", "transitions[1].when", "guard"),
        ("transitions.1.when", "otherwise", "transitions[2].when", "two_otherwise"),
        ("transitions.1.set", {"toqes": "1"}, "transitions[1].set.toqes", "unknown_field"),
        ("transitions.1.set", {"toques": "'a'"}, "transitions[1].set.toques", "set_type"),
        ("transitions.1.set", {"toques": "toques +"}, "transitions[1].set.toques", "expression"),
        ("transitions.1.share", 101, "transitions[1].share", "not_share"),
        ("transitions.1.share", 40, "transitions[1].share", "share_sum"),
        ("globals.0.except", ["PAGOO"], "globals[0].except[0]", "unknown_state"),
        ("globals.0.from", "NOVO", "globals[0].from", "from_global"),
        ("ignore.0.on", ["nada"], "ignore[0].on[0]", "unknown_event"),
        ("ignore.0.state", "NADA", "ignore[0].state", "unknown_state"),
        ("initial", "NOV", "initial", "unknown_state"),
        ("schema", 2, "schema", "schema"),
        ("schema", True, "schema", "schema"),
        ("slug", "Não Serve", "slug", "not_a_slug"),
        ("timezone", "America/Sao_Pualo", "timezone", "not_a_zone"),
        ("timezone", "../../etc", "timezone", "not_a_zone"),
        ("debounce", {"quiet": "30s", "ceiling": "5s"}, "debounce", "ceiling_order"),
        ("foo", 1, "foo", "unknown_key"),
        ("states.NOVO.deadline", [], "states.NOVO.deadline", "empty_list"),
        ("states.NOVO.deadline", "-1h", "states.NOVO.deadline", "not_duration"),
        ("states.NOVO.deadline", "0s", "states.NOVO.deadline", "not_positive"),
        ("states.NOVO.deadline", 3600, "states.NOVO.deadline", "not_duration"),
        ("states.NOVO.kind", "finel", "states.NOVO.kind", "not_a_choice"),
        ("states.NOVO.look", "x", "states.NOVO.look", "not_a_choice"),
        ("states.NOVO.resting", "yes", "states.NOVO.resting", "not_flag"),
        ("states.NOVO.approvers", ["a@b"], "states.NOVO.approvers", "approvers_kind"),
        ("states.PAGO.deadline", "1h", "states.PAGO.deadline", "final_deadline"),
        ("states.COM ESPAÇO", {}, "states.COM ESPAÇO", "not_a_name"),
        ("states.@previous", {}, "states.@previous", "not_a_name"),
        ("events.msg.source", "phone", "events.msg.source", "not_a_choice"),
        ("events.preco.falls_back_to", "nada", "events.preco.falls_back_to", "unknown_event"),
        ("events.preco.falls_back_to", "pago", "events.preco.falls_back_to", "fallback_source"),
        ("events.preco.priority", "alta", "events.preco.priority", "not_integer"),
        ("events.timeout", {"source": "message"}, "events.timeout", "clock_event"),
        ("events.msg.data", {"text": "int"}, "events.msg.data.text", "standard_data"),
        ("events.outra", {"source": "message"}, "events", "two_general_events"),
        ("understanding.0.event", "pago", "understanding[0].event", "not_message_event"),
        ("understanding.0.any", [], "understanding[0].any", "empty_list"),
        ("understanding.0.event", "nada", "understanding[0].event", "unknown_event"),
        ("context.toques.default", 9, "context.toques.default", "default_bounds"),
        ("context.toques.default", "1", "context.toques.default", "default_type"),
        ("context.toques.min", 5, "context.toques.min", "bounds_order"),
        ("context.plano", {"type": "enum"}, "context.plano", "values_missing"),
        ("context.plano", {"type": "enum", "values": ["a"]}, "context.plano", "default_missing"),
        (
            "context.plano",
            {"type": "enum", "values": ["a"], "default": "b"},
            "context.plano.default",
            "not_a_choice",
        ),
        ("context.plano", {"type": "text", "values": ["a"]}, "context.plano.values", "values_type"),
        ("context.nome", {"type": "text", "min": 1}, "context.nome.min", "bounds_type"),
        ("context.dia", {"type": "timestamp"}, "context.dia", "default_missing"),
        ("context.dia", {"type": "timestamp", "default": "ontem"}, "context.dia.default", "not_instant"),
        ("context.has", {"type": "int"}, "context.has", "reserved_name"),
        ("actions.oi.kind", "sned", "actions.oi.kind", "not_a_choice"),
        ("actions.oi.text", "", "actions.oi.text", "empty_text"),
        ("actions.oi.text", "x" * 8_193, "actions.oi.text", "too_long"),
        ("actions.oi.text", {"pt_BR": "oi"}, "actions.oi.text.pt_BR", "unknown_key"),
        ("actions.nada", {"kind": "send"}, "actions.nada", "says_nothing"),
        ("actions.nada", {}, "actions.nada", "missing"),
        ("settings", {"quiet_hours": "25:00-08:00"}, "settings.quiet_hours", "not_hours"),
        ("settings", {"loop": {"identical": 0}}, "settings.loop.identical", "below"),
        ("entry", {"words": ["!!"]}, "entry.words[0]", "entry_unreadable"),
        ("entry", {"words": ["Parar"]}, "entry.words[0]", "entry_stops"),
        ("entry", {"words": ["curso", "CURSO!"]}, "entry.words[1]", "duplicate"),
        ("entry", {"words": "curso"}, "entry.words", "not_list"),
        ("entry", {"ads": [120]}, "entry.ads[0]", "not_text"),
        ("entry", {"ads": ["7", "7"]}, "entry.ads[1]", "duplicate"),
        ("entry", {"palavras": []}, "entry.palavras", "unknown_key"),
        ("rules", [{"nunca": 1}], "rules[0]", "rule_form"),
        ("transitions", {"t1": {}}, "transitions", "not_list"),
        ("states", [], "states", "not_table"),
    ],
)
def test_each_mistake_names_its_place(path, value, place, code):
    assert (place, code) in codes(changed(path, value))


def test_all_mistakes_are_told_at_once():
    tree = changed("transitions.0.to", "X")
    tree["transitions"][1]["on"] = "Y"
    tree["states"]["NOVO"]["deadline"] = "2x"
    tree["cor"] = "azul"

    assert len(mistakes(tree)) == 4


def test_a_close_name_is_suggested():
    [found] = mistakes(changed("transitions.0.to", "FALNDO"))

    assert found.message == "o estado “FALNDO” não existe; você quis dizer “FALANDO”?"
    assert sentence(found, "en") == "there is no state “FALNDO”; did you mean “FALANDO”?"


def test_a_guard_says_what_is_wrong_in_both_languages():
    [found] = mistakes(changed("transitions.1.when", "tokes < 3"))

    assert found.message == "a condição não pode ser lida: não existe tokes aqui"
    assert sentence(found, "en").startswith("the condition cannot be read: there is no tokes")


def test_a_missing_section_is_named():
    for section in ("schema", "slug", "initial", "events", "states"):
        assert ("", "missing") in codes(small(**{section: None}))


@pytest.mark.parametrize("tree", [None, [], "x", 3, {}, {1: 2}, {"schema": 1}])
def test_what_is_no_document_is_refused(tree):
    with pytest.raises(InvalidDocument):
        read(tree)


def test_a_fallback_that_goes_round_is_refused():
    tree = small()
    tree["events"]["a"] = {"source": "message", "falls_back_to": "b"}
    tree["events"]["b"] = {"source": "message", "falls_back_to": "a"}

    assert "fallback_cycle" in {code for _, code in codes(tree)}


def test_without_a_general_message_event_there_is_no_flow():
    tree = small(events={"pago": {"source": "payment"}}, understanding=None, transitions=[], ignore=[])

    assert ("events", "no_general_event") in codes(tree)


def test_the_general_event_is_the_one_of_lowest_priority():
    tree = changed("events.parar", {"source": "message", "priority": 100})

    assert read(tree).general_message == "msg"


def test_a_document_that_is_too_deep_is_refused_without_recursion():
    tree: dict = {}
    at = tree
    for _ in range(100_000):
        at["a"] = {}
        at = at["a"]

    assert codes(tree) == [("", "too_deep")]


def test_more_than_two_thousand_states_are_refused():
    tree = small()
    tree["states"] |= {f"S{n}": {} for n in range(2_000)}

    assert ("states", "too_many") in codes(tree)


def test_accents_are_welcome_in_names():
    tree = changed("states.NEGOCIAÇÃO", {"deadline": "1h"})

    assert "NEGOCIAÇÃO" in read(tree).states


def test_previous_is_a_target_and_nothing_else():
    """R5."""
    assert read(changed("transitions.1.to", "@previous")).arrows["t2"].to == "@previous"
    assert ("transitions[1].from", "unknown_state") in codes(changed("transitions.1.from", "@previous"))


def test_plain_numbers_may_be_assigned_without_quotes():
    flow = read(changed("transitions.1.set", {"toques": 0}))

    assert flow.arrows["t2"].set[0].value.source == "0"


def test_an_enum_takes_only_its_values():
    tree = changed("context.plano", {"type": "enum", "values": ["basico"], "optional": True})
    tree["transitions"][1]["set"] = {"plano": "'pro'"}

    assert ("transitions[1].set.plano", "set_value") in codes(tree)


def test_null_clears_an_optional_field_only():
    tree = changed("context.plano", {"type": "text", "optional": True})
    tree["transitions"][1]["set"] = {"plano": "null"}
    assert mistakes(tree) == []

    tree["transitions"][1]["set"] = {"toques": "null"}
    assert ("transitions[1].set.toques", "set_type") in codes(tree)


def test_texts_may_come_in_several_languages():
    flow = read(changed("actions.oi.text", {"pt-BR": "Oi", "en": "Hi"}))

    assert flow.actions["oi"].text.within("en") == "Hi"
    assert flow.actions["oi"].text.within("pt-BR") == "Oi"
    assert flow.actions["oi"].text.within("es") == "Oi"


def test_defaults_of_fields_follow_from_their_type():
    tree = small(
        context={
            "n": {"type": "int", "min": 2},
            "d": {"type": "duration", "default": "2h"},
            "l": {"type": "list"},
            "m": {"type": "money", "default": 19700},
            "t": {"type": "timestamp", "default": "2026-08-01T10:00:00-03:00"},
            "x": {"type": "double", "default": 1},
            "toques": {"type": "int"},
        }
    )

    context = read(tree).context

    assert context["n"].default == 2
    assert context["d"].default == 2 * HOUR
    assert context["l"].default == ()
    assert context["t"].default == 1_785_589_200_000
    assert isinstance(context["x"].default, float)


def test_a_state_without_a_look_gets_one_by_its_structure():
    tree = small()
    tree["states"] |= {"ESPERA": {"kind": "approval", "deadline": "1h"}, "SAIU": {"kind": "optout"}, "FIM": {}}
    tree["transitions"] += [
        {"id": "t4", "from": "FALANDO", "on": "preco", "to": "ESPERA"},
        {"id": "t5", "from": "FALANDO", "on": "msg", "to": "SAIU"},
        {"id": "t6", "from": "ESPERA", "on": "timeout", "to": "FIM"},
        {"id": "t7", "from": "NOVO", "on": "timeout", "to": "NOVO"},
    ]

    looks = {name: state.look for name, state in read(tree).states.items()}

    assert looks == {
        "NOVO": Look.ENTRY,
        "FALANDO": Look.RECOVERY,
        "PAGO": Look.WON,
        "ESPERA": Look.HUMAN,
        "SAIU": Look.OUT,
        "FIM": Look.LOST,
    }


MENU = {"button": "Ver", "rows": [{"id": "a", "title": "A"}]}
MODEL = {"name": "m", "language": "pt_BR"}


def test_every_kind_of_action_is_read():
    actions = {
        "oi": {
            "kind": "send",
            "text": "Oi",
            "buttons": [{"id": "sim", "title": "Sim"}, {"id": "nao", "title": {"pt-BR": "Não", "en": "No"}}],
            "once_per": "{{event.transacao}}",
            "repeat_ok": True,
        },
        "menu": {
            "kind": "send",
            "text": "Escolha",
            "list": {"button": "Ver", "rows": [{"id": "a", "title": "A", "description": "o primeiro"}]},
        },
        "foto": {"kind": "send", "media": {"image": "https://x.test/a.jpg", "caption": "Veja"}},
        "partes": {"kind": "send", "parts": [{"image": "https://x.test/a.jpg"}, {"text": "Quer?"}]},
        "modelo": {"kind": "send", "template": {"name": "m", "language": "pt_BR", "params": ["{{contact.name}}"]}},
        "completo": {
            "kind": "send",
            "template": {
                "name": "m",
                "language": "pt_BR",
                "header": {"image": "https://x.test/{{contact.name}}.jpg"},
                "buttons": [{"payload": "SIM"}, {}, {"url": "{{contact.name}}"}],
            },
        },
        "titulo": {"kind": "send", "template": {"name": "m", "language": "pt_BR", "header": "Oi"}},
        "guardado": {"kind": "send", "media": {"video": "400000000000001"}},
        "entregar": {
            "kind": "call",
            "url": "https://x.test/acesso",
            "method": "PUT",
            "headers": {"X-A": "1"},
            "body": "{}",
            "undo": "revogar",
            "verify": "https://x.test/ver",
            "timeout": "10s",
            "on_ok": "entregue",
            "on_error": "falhou",
            "on_timeout": "falhou",
        },
        "revogar": {"kind": "call", "url": "https://x.test/revogar"},
        "atender": {
            "kind": "agent",
            "prompt": "Ajude",
            "tools": {"read": ["agenda"], "write": ["marcar"]},
            "fallback": "oi",
        },
        "conversar": {"kind": "agent", "prompt": "Ajude", "tools": ["agenda"]},
        "avisar": {"kind": "notify", "text": "Veja isto", "to": "dona"},
        "marcar": {"kind": "tag", "add": ["vip"], "remove": ["frio"]},
        "pausar": {"kind": "set_pause", "duration": "30m"},
        "voltar": {"kind": "opt_in"},
    }
    tree = small(actions=actions)
    tree["events"] |= {"entregue": {"source": "effect"}, "falhou": {"source": "effect"}}

    flow = read(tree)

    assert set(flow.actions) == set(actions)
    assert flow.actions["oi"].buttons[1].title.within("en") == "No"
    assert flow.actions["menu"].menu.rows[0].description.within("pt-BR") == "o primeiro"
    assert flow.actions["foto"].media.kind == "image"
    assert flow.actions["partes"].parts[1].text.within("pt-BR") == "Quer?"
    template = flow.actions["completo"].template
    assert (template.header.kind, template.buttons[2].url) == ("image", "{{contact.name}}")
    assert template.buttons[:2] == (TemplateButton(payload="SIM"), TemplateButton())
    assert flow.actions["titulo"].template.header == "Oi"
    assert flow.actions["guardado"].media.url == "400000000000001"
    assert flow.actions["entregar"].on_timeout == "falhou"
    assert flow.actions["entregar"].timeout == 10 * SECOND
    assert flow.actions["atender"].write_tools == ("marcar",)
    assert flow.actions["conversar"].tools == ("agenda",)
    assert flow.actions["pausar"].duration == 30 * MINUTE


@pytest.mark.parametrize(
    ("action", "code"),
    [
        ({"kind": "call", "url": "javascript:x"}, "not_an_address"),
        ({"kind": "call", "url": "https://x.test", "on_ok": "nada"}, "unknown_event"),
        ({"kind": "call", "url": "https://x.test", "undo": "a"}, "undo_itself"),
        ({"kind": "call"}, "missing"),
        ({"kind": "agent", "prompt": "x", "fallback": "a"}, "fallback_itself"),
        ({"kind": "tag"}, "tags_missing"),
        ({"kind": "set_pause"}, "missing"),
        ({"kind": "notify"}, "missing"),
        ({"kind": "opt_in", "text": "x"}, "unknown_key"),
        ({"kind": "send", "parts": [{"text": "a", "image": "https://x.test/a"}]}, "part_shape"),
        ({"kind": "send", "parts": [{"image": "ftp://x"}]}, "not_an_address"),
        ({"kind": "send", "media": {"caption": "x"}}, "part_shape"),
        ({"kind": "send", "text": "x", "buttons": [{"id": "a", "title": "A"}] * 2}, "duplicate"),
        ({"kind": "send", "text": "x", "template": {"name": "a"}}, "missing"),
        ({"kind": "send", "text": "x", "list": {"button": "b"}}, "missing"),
        ({"kind": "send", "text": "x", "list": MENU, "buttons": [{"id": "a", "title": "A"}]}, "buttons_or_list"),
        ({"kind": "send", "media": {"image": "https://x.test/a"}, "list": MENU}, "choices_need_text"),
        ({"kind": "send", "parts": [{"text": "a"}, {"image": "https://x.test/a"}], "list": MENU}, "choices_need_text"),
        ({"kind": "send", "template": {**MODEL, "header": {"image": "x"}}}, "not_an_address"),
        ({"kind": "send", "template": {**MODEL, "header": {"image": "https://x", "caption": "a"}}}, "unknown_key"),
        ({"kind": "send", "template": {**MODEL, "buttons": []}}, "empty_list"),
        ({"kind": "send", "template": {**MODEL, "buttons": [{"payload": "a", "url": "b"}]}}, "payload_or_url"),
    ],
)
def test_a_malformed_action_is_refused(action, code):
    tree = small()
    tree["actions"]["a"] = action

    assert code in {found for _, found in codes(tree)}


RULES = [
    ({"never": {"do": "oi"}, "after": {"state": "PAGO"}, "unless": ["oi"]}, "never"),
    ({"never": {"do": "oi"}, "after": {"event": "pago"}}, "never"),
    ({"always": "pago", "leads_to": "PAGO"}, "always"),
    ({"always": "pago", "leads_to": ["PAGO", "NOVO"], "note": "de propósito"}, "always"),
    ({"at_most": 4, "sends_without_reply": True}, "sends_without_reply"),
    ({"window": "24h"}, "window"),
    ({"at_most": 1, "do": "oi"}, "at_most"),
    ({"only_after": {"event": "pago"}, "do": "oi"}, "only_after"),
    ({"echo": 3}, "echo"),
    ({"no_nudge_unanswered": True}, "no_nudge_unanswered"),
]


def test_all_eight_forms_of_rules_are_read():
    flow = read(small(rules=[rule for rule, _ in RULES]))

    assert [rule.kind for rule in flow.rules] == [kind for _, kind in RULES]
    assert flow.rules[3].body == {"always": "pago", "leads_to": ["PAGO", "NOVO"]}


@pytest.mark.parametrize(
    "rule",
    [
        {"never": {"do": "nada"}, "after": {"state": "PAGO"}},
        {"never": {"do": "oi"}},
        {"never": {"do": "oi"}, "after": {"state": "PAGO", "event": "pago"}},
        {"never": {"do": "oi"}, "after": {"cor": "azul"}},
        {"never": {"do": "oi"}, "after": {"state": "PAGO"}, "unless": ["nada"]},
        {"always": "nada", "leads_to": "PAGO"},
        {"always": "pago", "leads_to": "NADA"},
        {"at_most": 4},
        {"at_most": -1, "do": "oi"},
        {"at_most": 1, "do": "oi", "sends_without_reply": True},
        {"at_most": 1, "sends_without_reply": False},
        {"window": 24},
        {"only_after": {"event": "nada"}, "do": "oi"},
        {"only_after": "pago", "do": "oi"},
        {"echo": 0},
        {"echo": 3, "cor": 1},
        {"no_nudge_unanswered": "sim"},
        {},
        "nunca",
    ],
)
def test_a_malformed_rule_is_refused(rule):
    assert mistakes(small(rules=[rule])) != []


def test_settings_have_their_own_words():
    tree = small(
        settings={
            "quiet_hours": "22:30-07:00",
            "max_age": "2h",
            "audio_wait": "0s",
            "human_pause": "1h",
            "loop": {"identical": 2, "within": "1m", "in_a_row": 9},
        }
    )

    made = read(tree).settings

    assert made.quiet_hours == (22 * 60 + 30, 7 * 60)
    assert (made.max_age, made.audio_wait, made.human_pause) == (2 * HOUR, 0, HOUR)
    assert (made.identical_replies, made.identical_within, made.replies_in_a_row) == (2, MINUTE, 9)


def test_words_and_adverts_that_lead_to_the_flow_are_kept_as_written_and_compared_folded():
    """R71."""
    made = read(small(entry={"words": ["Mentoria", "quero a AULA grátis"], "ads": ["7"]}))

    assert made.campaign_words == (
        ("Mentoria", ("mentoria",)),
        ("quero a AULA grátis", ("quero", "a", "aula", "gratis")),
    )
    assert made.entry.ads == {"7"}
    assert read(small()).entry.words == ()


def test_quiet_hours_are_on_by_default_and_off_by_null():
    """R37."""
    assert read(small()).settings.quiet_hours == (21 * 60, 8 * 60)
    assert read(small(settings={})).settings.quiet_hours == (21 * 60, 8 * 60)
    assert read(small(settings={"quiet_hours": None})).settings.quiet_hours is None


def test_a_state_may_have_its_own_debounce():
    """R22."""
    flow = read(changed("states.NOVO.debounce", {"quiet": "1s"}))

    assert flow.debounce_in("NOVO").quiet == SECOND
    assert flow.debounce_in("NOVO").ceiling == 20 * SECOND
    assert flow.debounce_in("PAGO") == flow.debounce


def test_a_split_adds_up_to_a_hundred():
    tree = small()
    tree["transitions"] += [
        {"id": "a", "from": "NOVO", "on": "preco", "to": "FALANDO", "share": 50},
        {"id": "b", "from": "NOVO", "on": "preco", "to": "PAGO", "share": 50},
    ]
    assert mistakes(tree) == []

    tree["transitions"][-1]["share"] = 40
    assert "share_sum" in {code for _, code in codes(tree)}


def test_two_global_otherwise_collide_only_where_both_apply():
    tree = small()
    tree["globals"] = [
        {"id": "g1", "on": "pago", "to": "PAGO", "when": "otherwise", "except": ["NOVO", "FALANDO"]},
        {"id": "g2", "on": "pago", "to": "PAGO", "when": "otherwise", "except": ["PAGO"]},
    ]
    assert mistakes(tree) == []

    tree["globals"][1]["except"] = []
    assert "two_otherwise" in {code for _, code in codes(tree)}


def test_every_sentence_exists_in_both_languages_with_the_same_gaps():
    portuguese, english = document_messages._PT, document_messages._EN
    gaps = re.compile(r"\{(\w+)\}")

    assert portuguese.keys() == english.keys()
    for code, words in portuguese.items():
        assert set(gaps.findall(words)) == set(gaps.findall(english[code])), code


def test_optional_kinds_of_state_are_kept():
    tree = changed("states.NOVO.phase", "entrada")
    tree["states"]["NOVO"] |= {"note": "aqui começa", "label": "Novo", "resting": True, "waiting_for": "uma mensagem"}
    tree["transitions"][0] |= {"keep_deadline": True, "label": "começa", "note": "x"}

    flow = read(tree)

    assert flow.states["NOVO"].phase == "entrada"
    assert flow.states["NOVO"].kind is StateKind.NORMAL
    assert flow.arrows["t1"].keep_deadline


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.sampled_from(["msg", "NOVO", "1h", "send", "otherwise", "é"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["id", "on", "to", "do", "type", "source", "any", "x", "echo"]), inner, max_size=3
        )
    ),
    max_leaves=8,
)


@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(sorted(SMALL)), JSON, st.randoms(use_true_random=False))
def test_whatever_stands_in_a_section_the_reader_answers_with_mistakes_or_a_flow(
    section, value, random_: random.Random
):
    tree = small()
    entries = tree[section]
    if isinstance(entries, dict) and random_.random() < 0.6:
        tree[section] = entries | {random_.choice([*entries, "novo"]): value}
    elif isinstance(entries, list) and random_.random() < 0.6:
        tree[section] = [*entries, value]
    else:
        tree[section] = value

    found = mistakes(json.loads(json.dumps(tree)))

    assert all(m.message and sentence(m, "en") for m in found)
