"""Finding things in a flow by words: states, arrows, events, texts of messages, fields and rules, accents and case aside."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from engine.core import sentences
from engine.core.action_texts import texts
from engine.core.diagram.graph import graph, natural
from engine.core.flow import Flow, Send, Text
from engine.core.folding import fold, words
from engine.core.rule_sentences import rule_sentence

__all__ = ["GROUPS", "LANGUAGES", "Group", "Hit", "find", "parts"]

Group: TypeAlias = Literal["state", "arrow", "event", "message", "field", "rule"]
GROUPS: tuple[Group, ...] = ("state", "arrow", "event", "message", "field", "rule")
LANGUAGES = ("pt-BR", "en")
"""What is found by its words in any of these is shown in the reader's."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One thing that was found: `ident` is its name in the document (a rule's number), `title` and `about` are its words."""

    group: Group
    ident: str
    title: str
    about: str


def find(flow: Flow, asked: str, language: str) -> tuple[Hit, ...]:
    """Everything that has all the words asked for, in the order of GROUPS, titles that begin so before others. Nothing for
    no words.
    """
    wanted = words(asked)
    if not wanted:
        return ()
    hits = [
        (GROUPS.index(hit.group), _rank(hit, wanted), number, hit)
        for number, (hit, said) in enumerate(_everything(flow, language))
        if all(word in said for word in wanted)
    ]
    return tuple(hit for *_, hit in sorted(hits, key=lambda found: found[:3]))


def parts(text: str, asked: str) -> tuple[tuple[str, bool], ...]:
    """The text in pieces, and of each whether it is what was asked for."""
    spelled = [fold(char) for char in text]
    folded = "".join(spelled)
    starts = [0]
    for piece in spelled:
        starts.append(starts[-1] + len(piece))
    hit = [False] * len(text)
    for word in words(asked):
        at = folded.find(word)
        while at >= 0:
            for index in range(len(text)):
                hit[index] |= starts[index] < at + len(word) and starts[index + 1] > at
            at = folded.find(word, at + len(word))
    found: list[tuple[str, bool]] = []
    for char, marked in zip(text, hit, strict=True):
        if found and found[-1][1] is marked:
            found[-1] = (found[-1][0] + char, marked)
        else:
            found.append((char, marked))
    return tuple(found)


def _rank(hit: Hit, wanted: tuple[str, ...]) -> int:
    title = fold(hit.title)
    if title.startswith(wanted[0]):
        return 0
    return 1 if all(word in title for word in wanted) else 2


def _everything(flow: Flow, language: str) -> Iterator[tuple[Hit, str]]:
    """Each thing with all the words by which it is found, folded."""
    for state in graph(flow).boxes:
        said = [sentences.state_sentence(state, tag) for tag in LANGUAGES]
        about = sentences.look_name(state.look, language)
        yield _hit("state", state.name, state.name, about, [*said, *_texts(state.label, state.waiting_for)])
    for t in sorted(flow.arrows.values(), key=lambda t: natural(t.id)):
        said = [sentences.transition_sentence(flow, t, tag) for tag in LANGUAGES]
        title = sentences.event_name(flow, t.on, flow.states.get(t.frm or ""), language)
        start = t.frm or sentences.any_state(language)
        yield _hit("arrow", t.id, title, f"{start} → {t.to}", [*said, t.on, t.id, *_texts(t.label)])
    for event in flow.events.values():
        said = [sentences.event_name(flow, event.name, None, tag) for tag in LANGUAGES]
        yield _hit("event", event.name, sentences.event_name(flow, event.name, None, language), event.name, said)
    for action in flow.actions.values():
        if isinstance(action, Send):
            label = sentences.action_name(flow, action.id, language)
            yield _hit("message", action.id, label, _shown(action, language), [action.id, *texts(action)])
    for name, declared in flow.context.items():
        yield _hit("field", name, name, declared.type.value, _texts(declared.label))
    for number, rule in enumerate(flow.rules):
        said = [rule_sentence(flow, rule, tag) for tag in LANGUAGES]
        yield _hit("rule", str(number), rule_sentence(flow, rule, language), "", said)


def _hit(group: Group, ident: str, title: str, about: str, said: Iterable[str]) -> tuple[Hit, str]:
    return Hit(group, ident, title, about), fold(" ".join((title, about, *said)))


def _texts(*texts: Text | None) -> list[str]:
    return [text.within(tag) for text in texts if text is not None for tag in LANGUAGES]


def _shown(send: Send, language: str) -> str:
    """The first words of a message, in one line."""
    first = send.text or next((part.text for part in send.parts if part.text is not None), None)
    return " ".join(first.within(language).split()) if first is not None else ""
