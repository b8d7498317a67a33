import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.optout import recognise

ASKS = [
    "pare",
    "Parar",
    "PARAR!!!",
    "stop",
    "STOP.",
    "sair",
    "Sair, obrigada",
    "oi, parar por favor",
    "PARE PARE PARE",
    "parem",
    "Pára!",
    "pa\u200bre",
    "  PÁRE DE ME MANDAR MENSAGEM!!! 😡",
    "Quero sair da lista. Grata!",
    "quero sair",
    "como faço pra sair da lista?",
    "não quero mais receber",
    "Não quero receber mensagens",
    "não quero mais mensagens",
    "nao quero mais nada de voces",
    "quero parar de receber",
    "me tira da lista",
    "me tira dessa lista por favor",
    "se puder, me tira da lista",
    "tira meu numero da lista",
    "remove meu número",
    "exclui meu contato daí",
    "favor me remover da lista",
    "pode parar de me mandar mensagem",
    "por favor, parem de enviar propaganda",
    "pare com essas mensagens",
    "não me mande mais mensagens",
    "nao manda mais msg",
    "não me perturbe",
    "me deixa em paz",
    "chega de mensagem",
    "descadastrar",
    "quero me descadastrar",
    "cancelar as mensagens",
    "ja pedi, parem de me ligar",
    "please stop",
    "Stop texting me",
    "don't message me anymore",
    "do not contact me again",
    "unsubscribe",
    "remove me from your list",
    "take me off this list",
    "leave me alone",
    "I want to unsubscribe",
    "Baja",
    "no quiero recibir más mensajes",
    "deja de escribirme",
    "quiero darme de baja",
    "sácame de la lista",
    "no me escriban más",
]

FALSE_FRIENDS = [
    "não quero parar, quero continuar",
    "não pare de me mandar mensagem",
    "não precisa parar",
    "não quero sair da lista",
    "nunca me tire da lista",
    "nem pensar em sair",
    "se eu parar de pagar a mensalidade o acesso para?",
    "se eu sair da lista perco o desconto?",
    "posso sair da lista quando quiser?",
    "parar?",
    "parar de comprar?",
    "tem como parar de pagar?",
    "quero parar de fumar",
    "não consigo parar de assistir",
    "vou parar o carro e já respondo",
    "vou sair agora, depois te chamo",
    "quero sair da lista de espera",
    "sair do aluguel é meu sonho",
    "o site parou de funcionar",
    "meu acesso parou",
    "ele parou de me responder",
    "a aula vai parar em dezembro?",
    "o vídeo para no meio",
    "não para de travar",
    "para quem é o curso?",
    "parei na aula 3",
    "sem parar",
    "parabéns",
    "parcelar",
    "preço",
    "quanto sai?",
    "sairam os resultados",
    "quando chega?",
    "cancelar minha compra",
    "quero cancelar",
    "remover o fundo da foto",
    "stop motion é no curso?",
    "I can't stop watching",
    "don't stop",
    "no quiero parar",
    "não quero comprar agora",
    "não quero mais",
    "não recebi mensagem",
    "ainda não recebi nada",
    "quero receber as mensagens",
    "me manda mais mensagens",
    "baixar",
]


def test_the_table_is_long_enough():
    """SEC-S26 asks for sixty phrases with false friends."""
    assert len(ASKS) + len(FALSE_FRIENDS) >= 100


@pytest.mark.parametrize("text", ASKS)
def test_it_is_a_request_to_stop(text):
    """R75, SEC-S26."""
    assert recognise(text) is not None


@pytest.mark.parametrize("text", FALSE_FRIENDS)
def test_it_only_looks_like_a_request_to_stop(text):
    """R75, SEC-S26."""
    assert recognise(text) is None


def test_the_words_that_said_it_are_pointed_at():
    text = "Oi! 😡 Me tira da lista, tá?"

    found = recognise(text)

    assert text[found.start : found.end] == "tira da lista"


def test_a_phrase_of_the_flow_counts_with_the_same_care():
    phrases = ("cansei desse robô", "xô")

    assert recognise("olha, cansei desse robô", phrases) is not None
    assert recognise("não cansei desse robô", phrases) is None
    assert recognise("Xô!", phrases) is not None
    assert recognise("xô preguiça, quero comprar", phrases) is None


@settings(deadline=None)
@given(st.text())
def test_no_text_makes_it_raise(text):
    found = recognise(text)

    assert found is None or 0 <= found.start < found.end <= len(text)
