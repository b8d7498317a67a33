"""Secrets at rest: sealed with a key that is not in the database, bound to the place where they stand (S21)."""

import base64
import binascii
import hashlib
import hmac
import os
from collections.abc import Callable
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from engine.core.errors import BadSettings

KEY_BYTES = 32
_NONCE_BYTES = 12
_VERSION = "v1"


class Vault:
    """AES-256-GCM under one of several keys; the first seals, all of them open, so that keys can be rotated."""

    def __init__(self, *keys: bytes, randomness: Callable[[int], bytes] = os.urandom) -> None:
        if not keys or any(len(key) != KEY_BYTES for key in keys):
            raise BadSettings(f"A secret key has exactly {KEY_BYTES} bytes.")
        self._keys = {_key_id(key): AESGCM(key) for key in keys}
        self._current = _key_id(keys[0])
        self._marking = tuple(hashlib.sha256(b"trilho marks" + key).digest() for key in keys)
        self._randomness = randomness

    def seal(self, plain: str, aad: str) -> str:
        """`v1.<key id>.<nonce and ciphertext>`. `aad` names the place, `table/row/field`; it must be the same to open."""
        nonce = self._randomness(_NONCE_BYTES)
        sealed = self._keys[self._current].encrypt(nonce, plain.encode(), aad.encode())
        return f"{_VERSION}.{self._current}.{_encoded(nonce + sealed)}"

    def open(self, sealed: str, aad: str) -> str:
        """The plain text. Raises BadSettings when the key is another one, or text or place were changed."""
        version, _, rest = sealed.partition(".")
        key_id, _, content = rest.partition(".")
        if version != _VERSION:
            raise BadSettings("A stored secret has a form that this version cannot read.")
        if key_id not in self._keys:
            raise BadSettings("A stored secret was sealed with another key: TRILHO_SECRET_KEY is not the one in use.")
        try:
            data = _decoded(content)
            return self._keys[key_id].decrypt(data[:_NONCE_BYTES], data[_NONCE_BYTES:], aad.encode()).decode()
        except (InvalidTag, ValueError) as error:
            raise BadSettings("A stored secret was changed, or moved to another place, since it was sealed.") from error

    def is_current(self, sealed: str) -> bool:
        """Whether it is sealed under the first key, so that a rotation can skip it."""
        return sealed.startswith(f"{_VERSION}.{self._current}.")

    def marks(self, text: str) -> tuple[str, ...]:
        """What stands for a text that must not be kept, in hex, one for each key, the one to write first: without the key
        nobody can tell which text it was, and with it a text can be asked for.
        """
        return tuple(hmac.new(key, text.encode(), hashlib.sha256).hexdigest() for key in self._marking)

    def reseal(self, sealed: str, aad: str) -> str:
        """The same secret under the first key."""
        return self.seal(self.open(sealed, aad), aad)


def new_key(randomness: Callable[[int], bytes] = os.urandom) -> str:
    """A fresh key in the form that settings take."""
    return _encoded(randomness(KEY_BYTES))


def parse_keys(text: str) -> tuple[bytes, ...]:
    """Keys out of a setting: URL-safe base64 of 32 bytes each, the current one first, commas between them."""
    keys = []
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        try:
            key = _decoded(part)
        except ValueError as error:
            raise BadSettings("A secret key is not URL-safe base64.") from error
        if len(key) != KEY_BYTES:
            raise BadSettings(f"A secret key has {len(key)} bytes instead of {KEY_BYTES}.")
        keys.append(key)
    if not keys:
        raise BadSettings("There is no secret key.")
    return tuple(keys)


def load_or_create_key(path: Path, randomness: Callable[[int], bytes] = os.urandom) -> tuple[bytes, ...]:
    """The keys in a file, which is made with mode 600 if it is not there; two processes at once get the same key.

    Raises BadSettings when others can read the file or it holds no key.
    """
    if not path.exists():
        _create(path, new_key(randomness))
    if path.stat().st_mode & 0o077:
        raise BadSettings(f"Others can read {path.name}: set its mode to 600.")
    return parse_keys(path.read_text(encoding="ascii", errors="replace"))


def _create(path: Path, key: str) -> None:
    """Written whole beside its place first: nobody ever reads half a key, and the first of two writers wins."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(f"{key}\n")
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()


def _key_id(key: bytes) -> str:
    return hashlib.sha256(b"trilho key id" + key).hexdigest()[:8]


def _encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError("not base64") from error
