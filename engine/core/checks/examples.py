"""A witness in words: `toques = 2`, `plano sem valor`, `última mensagem há 25 h`."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from engine.core.flow import Value
from engine.core.guards.kinds import Kind
from engine.core.guards.printing import duration_text, literal_text
from engine.core.guards.syntax import Literal

NOW = "now()"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_WORDS: Mapping[str, tuple[str, str]] = {
    "unset": ("{name} não tem valor", "{name} is not set"),
    "last_inbound": ("a última mensagem foi há {value}", "the last message was {value} ago"),
    "state_age": ("está no estado há {value}", "it has been in the state for {value}"),
    "now": ("agora é {value}", "it is {value}"),
    "last_inbound.name": ("última mensagem", "last message"),
    "last_inbound.value": ("há {value}", "{value} ago"),
    "state_age.name": ("tempo no estado", "time in the state"),
    "now.name": ("agora", "now"),
    "unset.value": ("sem valor", "not set"),
    "and": ("e", "and"),
    "true": ("verdadeiro", "true"),
    "false": ("falso", "false"),
}

_KEYS = {"last_inbound": "last_inbound", "state_age": "state_age", NOW: "now"}


def example(witness: Mapping[str, Value], language: str) -> str:
    """The witness in one phrase, in the order of the names; nothing for an empty one."""
    english = language == "en"
    parts = [
        _part(name, witness[name], witness, english=english)
        for name in sorted(witness)
        # Told by how long ago the last message was.
        if not (name == NOW and "last_inbound" in witness)
    ]
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {_word('and', english=english)} {parts[-1]}"


def sample(witness: Mapping[str, Value], language: str) -> tuple[tuple[str, str], ...]:
    """The same as a row of a table: what and its value, in the order of the names."""
    english = language == "en"
    return tuple(
        (
            _word(f"{key}.name", english=english) if (key := _KEYS.get(name)) else name,
            _cell(name, witness, english=english),
        )
        for name in sorted(witness)
        if not (name == NOW and "last_inbound" in witness)
    )


def _cell(name: str, witness: Mapping[str, Value], *, english: bool) -> str:
    value, now = witness[name], witness.get(NOW)
    if value is None:
        return _word("unset.value", english=english)
    if name == "last_inbound" and isinstance(value, int) and isinstance(now, int):
        return _word("last_inbound.value", english=english).format(value=duration_text(now - value))
    if name == "state_age" and isinstance(value, int):
        return duration_text(value)
    return moment(value) if name == NOW and isinstance(value, int) else _value(value, english=english)


def _part(name: str, value: Value, witness: Mapping[str, Value], *, english: bool) -> str:
    if value is None:
        return _word("unset", english=english).format(name=name)
    now = witness.get(NOW)
    if name == "last_inbound" and isinstance(value, int) and isinstance(now, int):
        return _word(name, english=english).format(value=duration_text(now - value))
    if name == "state_age" and isinstance(value, int):
        return _word(name, english=english).format(value=duration_text(value))
    if name == NOW and isinstance(value, int):
        return _word("now", english=english).format(value=moment(value))
    return f"{name} = {_value(value, english=english)}"


def _value(value: Value, *, english: bool) -> str:
    if isinstance(value, bool):
        return _word("true" if value else "false", english=english)
    if isinstance(value, tuple):
        return "[" + ", ".join(literal_text(Literal(item, Kind.TEXT)) for item in value) + "]"
    return literal_text(Literal(value, Kind.TEXT)) if isinstance(value, str) else str(value)


def moment(milliseconds: int) -> str:
    """An instant in UTC, to the minute."""
    return (_EPOCH + timedelta(milliseconds=milliseconds)).strftime("%Y-%m-%d %H:%M UTC")


def _word(key: str, *, english: bool) -> str:
    return _WORDS[key][english]
