"""Secrets at rest (S21) (SEC-S21)."""

import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.adapters.secrets import Vault, load_or_create_key, new_key, parse_keys
from engine.core.errors import BadSettings

OLD, NEW = b"\x01" * 32, b"\x02" * 32
PLACE = "channels/1/app_secret"


@given(st.text(max_size=50).filter(lambda text: text.isprintable()), st.text(alphabet="abc/1", max_size=10))
def test_what_is_sealed_opens_in_its_place(plain: str, place: str) -> None:
    vault = Vault(OLD)
    assert vault.open(vault.seal(plain, place), place) == plain


def test_the_sealed_form_shows_nothing_and_differs_each_time() -> None:
    vault = Vault(OLD)
    first, second = vault.seal("CANARIO", PLACE), vault.seal("CANARIO", PLACE)
    assert first != second
    assert "CANARIO" not in first
    assert "CANARIO" not in repr(vault)


def test_moved_to_another_row_it_does_not_open() -> None:
    vault = Vault(OLD)
    with pytest.raises(BadSettings, match="moved to another place"):
        vault.open(vault.seal("s", PLACE), "channels/2/app_secret")


def test_a_wrong_key_says_so_in_a_sentence() -> None:
    with pytest.raises(BadSettings, match="TRILHO_SECRET_KEY is not the one in use"):
        Vault(NEW).open(Vault(OLD).seal("s", PLACE), PLACE)


def test_any_changed_character_is_noticed() -> None:
    vault = Vault(OLD)
    sealed = vault.seal("segredo", PLACE)
    for position, char in enumerate(sealed[:-1]):
        changed = sealed[:position] + ("A" if char != "A" else "B") + sealed[position + 1 :]
        with pytest.raises(BadSettings):
            vault.open(changed, PLACE)


@pytest.mark.parametrize("text", ["", "v1", "v1.", "v1..", "v2.x.y", "plain", "v1.00000000.AAAA", "v1." + "é" * 20])
def test_what_was_never_sealed_does_not_open(text: str) -> None:
    with pytest.raises(BadSettings):
        Vault(OLD).open(text, PLACE)


def test_while_keys_rotate_both_open_and_the_new_one_seals() -> None:
    sealed_before = Vault(OLD).seal("s", PLACE)
    rotating = Vault(NEW, OLD)
    assert rotating.open(sealed_before, PLACE) == "s"
    assert not rotating.is_current(sealed_before)
    after = rotating.reseal(sealed_before, PLACE)
    assert rotating.is_current(after)
    assert Vault(NEW).open(after, PLACE) == "s"
    with pytest.raises(BadSettings):
        Vault(OLD).open(after, PLACE)


@pytest.mark.parametrize("keys", [(), (b"",), (b"x" * 31,), (OLD, b"x" * 33)])
def test_a_vault_needs_whole_keys(keys: tuple[bytes, ...]) -> None:
    with pytest.raises(BadSettings):
        Vault(*keys)


def test_a_setting_holds_one_key_or_several() -> None:
    one, two = new_key(), new_key()
    assert parse_keys(one) != parse_keys(two)
    assert parse_keys(f" {one} , {two}\n") == (*parse_keys(one), *parse_keys(two))
    assert all(len(key) == 32 for key in parse_keys(one))


@pytest.mark.parametrize("text", ["", " , ", "senha", "AAAA", "*" * 43, "é" * 43, "A" * 45])
def test_a_bad_key_setting_is_told(text: str) -> None:
    with pytest.raises(BadSettings):
        parse_keys(text)


def test_the_key_file_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "secret.key"
    keys = load_or_create_key(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert load_or_create_key(path) == keys
    assert list(tmp_path.iterdir()) == [path]


def test_a_key_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "secret.key"
    load_or_create_key(path)
    path.chmod(0o644)
    with pytest.raises(BadSettings, match="600"):
        load_or_create_key(path)


def test_a_damaged_key_file_is_told_and_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "secret.key"
    path.touch(mode=0o600)
    with pytest.raises(BadSettings):
        load_or_create_key(path)
    assert path.read_text(encoding="ascii") == ""
