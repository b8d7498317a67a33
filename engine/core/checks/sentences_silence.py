"""Findings about states that wait for ever, in words (S6): for a lead, or for a person who approves."""

from collections.abc import Mapping

SILENCE_SENTENCES: Mapping[str, tuple[str, str]] = {
    "S6": (
        "{state} fica parado para sempre se o cliente não responder. Dê um prazo de silêncio.",
        "{state} waits forever if the customer goes quiet. Set a silence deadline.",
    ),
    "S6.no_arrow": (
        "{state} tem prazo de silêncio, mas nenhuma seta sai quando ele vence",
        "{state} has a silence deadline, but no arrow leaves when it runs out",
    ),
    "S6.begins": (
        "{state} espera uma aprovação e é onde as conversas começam: ninguém pediu nada ainda",
        "{state} waits for an approval and is where conversations begin: nobody has asked for anything yet",
    ),
    "S6.no_approved": (
        "Em {state}, aprovar não leva a nada: falta uma seta para quando uma pessoa aprova",
        "In {state}, approving leads nowhere: there is no arrow for when a person approves",
    ),
    "S6.no_rejected": (
        "Em {state}, rejeitar não leva a nada: falta uma seta para quando uma pessoa rejeita",
        "In {state}, rejecting leads nowhere: there is no arrow for when a person rejects",
    ),
    "S6.no_expiry": (
        "{state} espera uma pessoa para sempre: dê um prazo, e uma seta para quando ele vence",
        "{state} waits for a person for ever: set a deadline, and an arrow for when it runs out",
    ),
    "S6.approvers": (
        "Em {state}, estes aprovadores não são papel da equipe nem e-mail: {names}",
        "In {state}, these approvers are neither a role of the team nor an e-mail address: {names}",
    ),
}
