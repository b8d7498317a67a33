"""What the application answers about people of the team: profiles, second factors, tokens, mail, what two decide, and the
switch that stops all sending.
"""

from web.routes import (
    api_tokens,
    emergency,
    mail,
    password,
    people,
    profile,
    publication_requests,
    second_factor,
    session_again,
)

__all__ = ["TEAM"]

TEAM = (
    emergency.shown,
    emergency.stop,
    emergency.resume,
    session_again.mine,
    session_again.back,
    session_again.kept,
    session_again.drop,
    password.blank,
    password.ask,
    profile.shown,
    profile.rename,
    profile.password,
    profile.end_sessions,
    second_factor.shown,
    second_factor.begin,
    second_factor.confirm,
    second_factor.codes,
    second_factor.off,
    people.listed,
    people.invite,
    people.rules,
    people.person,
    people.link,
    people.role,
    people.disable,
    people.enable,
    people.end_sessions,
    people.factor_off,
    mail.shown,
    mail.change,
    mail.test,
    mail.remove,
    api_tokens.listed,
    api_tokens.add,
    api_tokens.revoke,
    publication_requests.approve,
    publication_requests.turn_down,
    publication_requests.withdraw,
)
