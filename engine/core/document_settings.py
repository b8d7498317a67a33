"""The `settings` and `debounce` sections: the engine's manners in one flow."""

from engine.core.document_reader import Place
from engine.core.flow import Debounce, Settings
from engine.core.windows import read_hours

_KEYS = ("quiet_hours", "max_age", "audio_wait", "human_pause", "loop")


def read_debounce(place: Place) -> Debounce:
    """The wait for the rest of a burst (R22); what is not written keeps its default."""
    keys = place.table(("quiet", "ceiling"))
    plain = Debounce()
    quiet = keys["quiet"].duration(zero=True) if "quiet" in keys else None
    ceiling = keys["ceiling"].duration(zero=True) if "ceiling" in keys else None
    # A long quiet without a ceiling of its own takes the ceiling with it.
    made_quiet = plain.quiet if quiet is None else quiet
    made_ceiling = max(plain.ceiling, made_quiet) if ceiling is None else ceiling
    if quiet is None and ceiling is not None:
        made_quiet = min(made_quiet, ceiling)
    if made_ceiling < made_quiet:
        place.wrong("ceiling_order")
        return plain
    return Debounce(made_quiet, made_ceiling)


def read_settings(place: Place) -> Settings:
    """Quiet hours (R37), age (R31), audio wait (R23), human pause (R21) and the loop guard (R32)."""
    plain = Settings()
    keys = place.table(_KEYS)
    hours = plain.quiet_hours
    if isinstance(place.value, dict) and "quiet_hours" in place.value:
        # Here `null` has a meaning of its own: no quiet hours.
        hours = _hours(keys["quiet_hours"]) if "quiet_hours" in keys else None
    loop = keys["loop"].table(("identical", "within", "in_a_row")) if "loop" in keys else {}
    return Settings(
        quiet_hours=hours,
        max_age=(keys["max_age"].duration() if "max_age" in keys else None) or plain.max_age,
        audio_wait=_wait(keys, plain.audio_wait),
        human_pause=(keys["human_pause"].duration() if "human_pause" in keys else None) or plain.human_pause,
        identical_replies=(loop["identical"].integer(1, 1_000) if "identical" in loop else None)
        or plain.identical_replies,
        identical_within=(loop["within"].duration() if "within" in loop else None) or plain.identical_within,
        replies_in_a_row=(loop["in_a_row"].integer(1, 10_000) if "in_a_row" in loop else None)
        or plain.replies_in_a_row,
    )


def _wait(keys: dict[str, Place], default: int) -> int:
    wait = keys["audio_wait"].duration(zero=True) if "audio_wait" in keys else None
    return default if wait is None else wait


def _hours(place: Place) -> tuple[int, int] | None:
    found = read_hours(place.value) if isinstance(place.value, str) else None
    if found is None:
        place.wrong("not_hours", value=str(place.value)[:64])
    return found
