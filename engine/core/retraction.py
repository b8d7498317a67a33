"""Words that take back what was said before them: "não, espera", "deixa", "esquece" (R24)."""

import re

from engine.core.folding import spans

_ALONE = frozenset(
    {
        *("espera", "espere", "espera ai", "espera um pouco", "espera um momento", "pera", "pera ai", "perai", "peraí"),
        *("nao espera", "nao pera", "nao perai", "nao pera ai", "nao espera ai", "opa espera", "ops", "ops nao"),
        *("deixa", "deixe", "nao deixa", "ah deixa", "deixa quieto", "deixa pra la", "deixa para la", "deixa isso"),
        *("deixa assim", "nao deixa pra la", "ah deixa pra la", "esquece", "esqueca", "esquece isso", "nao esquece"),
        *("esquece tudo", "esquece o que eu disse", "esquece o que falei", "ignora", "ignore", "ignora isso", "calma"),
        *("calma ai", "mandei errado", "msg errada", "mensagem errada", "foi engano", "foi sem querer", "era engano"),
        *("desisto", "desisti", "mudei de ideia", "melhor nao", "agora nao", "nao quero mais", "melhor esperar"),
        *("wait", "hold on", "never mind", "nevermind", "forget it", "scratch that", "no wait", "olvidalo", "dejalo"),
    }
)
"""A clause that is nothing but this."""

_BEGINS = re.compile(
    r"(?:nao |ah |ops |opa |mas )*(?:deixa (?:pra|para) la|esquece (?:isso|tudo|o que)|mandei errado|mudei de ideia|never mind)\b"
)
_CLAUSE = re.compile(r"[.!?…;,\n\r]+")
_LONE_NO = frozenset({"nao", "ah", "ops", "opa", "mas", "no", "oh"})


def said_in(text: str) -> tuple[bool, int]:
    """Whether a message takes back what came before it, and from which character on its own words count again."""
    found = False
    spared = at = 0
    pending_no = False
    for border in [*(m.span() for m in _CLAUSE.finditer(text)), (len(text), len(text))]:
        clause = " ".join(word.text for word in spans(text[at : border[0]]))
        if clause:
            if clause in _ALONE or _BEGINS.match(clause) or (pending_no and f"nao {clause}" in _ALONE):
                found, spared = True, border[1]
            pending_no = clause in _LONE_NO
        at = border[1]
    return found, spared
