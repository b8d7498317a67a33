"""The catalogues: every message that a page can show has words in every language."""

import re

import pytest

from tests.web import extraction
from web import i18n

PLACEHOLDER = re.compile(r"%\(\w+\)s")


def _texts(string):
    return string if isinstance(string, tuple) else (string,)


@pytest.mark.parametrize("locale", ["pt_BR", "en"])
def test_every_message_in_use_is_translated(locale):
    catalogue, found = extraction.catalogue(locale), extraction.found()

    missing = [key for key in found if key not in catalogue or not all(_texts(catalogue.get(key).string))]

    assert len(found) > 100
    assert missing == []


@pytest.mark.parametrize("locale", ["pt_BR", "en"])
def test_no_catalogue_keeps_a_message_that_nobody_uses(locale):
    found = extraction.found()

    assert [
        message.id for message in extraction.catalogue(locale) if message.id and _texts(message.id)[0] not in found
    ] == []


def test_a_translation_names_the_same_placeholders():
    translated = extraction.catalogue("pt_BR")
    for key, message in extraction.found().items():
        wanted = {name for text in _texts(message) for name in PLACEHOLDER.findall(text)}
        for text in _texts(translated.get(key).string):
            assert set(PLACEHOLDER.findall(text)) <= wanted, key


def test_plurals_follow_the_number():
    with i18n.speaking("pt-BR"):
        assert i18n.ngettext("%(num)s error", "%(num)s errors", 1) == "%(num)s erro"
        assert i18n.ngettext("%(num)s error", "%(num)s errors", 0) == "%(num)s erros"
        assert i18n.ngettext("%(num)s error", "%(num)s errors", 2) == "%(num)s erros"


@pytest.mark.parametrize(
    ("wanted", "cookie", "accepted", "chosen"),
    [
        (None, None, "", "pt-BR"),
        (None, None, "en-GB,en;q=0.9", "en"),
        (None, None, "fr,pt;q=0.5,en;q=0.8", "en"),
        (None, None, "xx;q=oops,,;;", "pt-BR"),
        (None, "en", "pt-BR", "en"),
        ("pt-BR", "en", "en", "pt-BR"),
        ("klingon", "klingon", "en", "en"),
    ],
)
def test_the_account_comes_before_the_cookie_before_the_browser(wanted, cookie, accepted, chosen):
    assert i18n.choose(wanted, cookie, accepted) == chosen
