"""Every kind of item to the one function that takes it."""

from collections.abc import Mapping

from engine.core.flow import Settings
from engine.core.inbound import (
    ChannelNews,
    Consent,
    Deletion,
    Echo,
    Edit,
    Ignored,
    Inquiry,
    Item,
    Message,
    NumberChange,
    Payment,
    Reaction,
    Status,
    Unknown,
)
from engine.services.intake import Arrival, note
from engine.services.take_inquiry import inquiry
from engine.services.take_message import Letter, deletion, edit, messages, reaction
from engine.services.take_payment import payment
from engine.services.take_person import channel_news, consent, number_change
from engine.services.take_status import echo, status
from engine.store import conversations
from engine.store.connection import Tx


def take(tx: Tx, arrival: Arrival, item: Item, names: Mapping[str, str]) -> None:
    """Take one item in; whatever it is, something about it is recorded (R29)."""
    match item:
        case Message():
            messages(tx, [Letter(arrival, item)])
        case Edit():
            edit(tx, arrival, item)
        case Deletion():
            deletion(tx, arrival, item)
        case Reaction():
            reaction(tx, arrival, item)
        case Status():
            status(tx, arrival, item)
        case Echo():
            echo(tx, arrival, item, _settings(tx, arrival).human_pause)
        case Payment():
            payment(tx, arrival, item, names)
        case Inquiry():
            inquiry(tx, arrival, item.provider_id, item.about)
        case NumberChange():
            number_change(tx, arrival, item)
        case Consent():
            consent(tx, arrival, item)
        case ChannelNews():
            channel_news(tx, arrival, item)
        case Ignored():
            note(tx, arrival, "ignored", item.reason, id=item.provider_id)
        case Unknown():
            note(tx, arrival, "ignored", item.reason, name=item.name)


def _settings(tx: Tx, arrival: Arrival) -> Settings:
    number = conversations.live_version(tx, arrival.flow)
    return Settings() if number is None else arrival.flows.within(tx, arrival.flow, number).settings
