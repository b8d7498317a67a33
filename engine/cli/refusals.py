"""Every exception that is raised on purpose, as sentences for the person at the terminal."""

from collections.abc import Mapping

from engine.cli.answers import Place
from engine.core.errors import (
    BadSettings,
    Conflict,
    DrawingFailed,
    InvalidDocument,
    NotFound,
    Refused,
    Stale,
    StoreUnavailable,
    TrilhoError,
)

__all__ = ["mistakes"]

REFUSED: Mapping[str, str] = {
    "account_exists": "There is an account with the address {email} already.",
    "base_url_missing": "Say where the service is: --base-url.",
    "base_url_unreadable": "base_url must be an address such as https://graph.facebook.com.",
    "cannot_pair": "The channel {name} has no session that could be connected.",
    "choice_unreadable": "{key} must be one of {choices}.",
    "email_unreadable": "That is not an e-mail address.",
    "event_unknown": "The flow {flow} has no payment event {event}; it has: {events}.",
    "file_empty": "There is nothing in the file.",
    "file_too_large": "The file is larger than {limit} MB.",
    "flow_exists": "There is a flow called {slug} already.",
    "gateway_unset": "The channel needs the keys {keys} first.",
    "hours_unreadable": "{key} must be two times of the day such as 08:00-21:00.",
    "key_unknown": "The key {key} does not exist here; the keys are {keys}.",
    "last_admin": "Somebody has to remain who can administer.",
    "name_or_token_taken": "The name or the token is taken already.",
    "name_unusable": "A name has 1 to {longest} printable characters.",
    "no_phone_column": "No column of the file is a telephone number: call one `phone` in its first line.",
    "nobody_in_file": "No line of the file is a person.",
    "note_too_long": "The note is longer than {longest} characters.",
    "not_available_yet": "The engine does not act on this yet, so it cannot be published: {places}.",
    "nothing_changed": "Version {number} is this flow already.",
    "number_unreadable": "{key} must be a whole number from 1.",
    "proof_too_long": "The proof is longer than {longest} characters.",
    "people_without_place": "Nobody said where the people of {states} go.",
    "place_unknown": "Nobody can be put into {states}.",
    "outcome_unknown": "{key} must be one of {outcomes}.",
    "phone_unreadable": "That is not a telephone number.",
    "role_unknown": "There is no role {role}; the roles are {roles}.",
    "media_limit_unusable": "A file may have 1 to {most} MB.",
    "state_not_removed": "{states} is no state that this publication removes: it is not in the live version, or stays.",
    "token_unusable": "A token has 1 to 128 letters, digits or the signs - _ . ~",
    "second_person_needed": "Here two people decide on a publication: ask for it on its page, and somebody else approves.",
    "transcription_timeout": "One try may take 1 to {most} seconds.",
    "transcription_unusable": "The {key} must be 1 to {longest} printable characters without quotation marks.",
    "zone_unknown": "{key} must be a time zone such as America/Sao_Paulo.",
    "value_too_long": "The value of {key} is longer than {longest} characters.",
}
DRAWING: Mapping[str, str] = {
    "too_large": "The flow is too large to be drawn.",
    "timeout": "Drawing took too long and was stopped.",
    "memory": "Drawing took too much memory and was stopped.",
    "engine": "Graphviz could not draw this flow.",
    "unsupported": "This format cannot show the flow, or a character of it; use svg.",
}


def mistakes(error: TrilhoError) -> list[Place]:
    """What is wrong, one (place, sentence) for each mistake."""
    if isinstance(error, InvalidDocument):
        from engine.core.document_messages import sentence

        return [(mistake.place, sentence(mistake, "en")) for mistake in error.mistakes]
    if isinstance(error, BadSettings):
        return [("", line) for line in str(error).splitlines()]
    return [("", _sentence(error))]


def _sentence(error: TrilhoError) -> str:
    if isinstance(error, Refused):
        pattern = REFUSED.get(error.code)
        if pattern is None:
            facts = ", ".join(f"{name} {_shown(value)}" for name, value in error.facts.items())
            return f"That is not allowed: {error.code.replace('_', ' ')}{f' ({facts})' if facts else ''}."
        return pattern.format_map({name: _shown(value) for name, value in error.facts.items()})
    if isinstance(error, NotFound):
        return f"There is no {error.kind} {error.name}."
    if isinstance(error, StoreUnavailable):
        return f"The database cannot be used now: {error}"
    if isinstance(error, Stale):
        return f"The {error.what} was changed by somebody else at the same moment: try again."
    if isinstance(error, DrawingFailed):
        return DRAWING.get(error.reason, str(error))
    if isinstance(error, Conflict):
        return "Something of this name is there already."
    return str(error)


def _shown(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
