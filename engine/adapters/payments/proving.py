"""How payment platforms prove who they are: a shared secret, or a signature over the raw bytes (SEC-S1, SEC-S2)."""

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

import msgspec

from engine.adapters.payments.protocol import Notice, SourceConfig
from engine.adapters.proofs import header, hmac_hex, in_rotation, matches, require_shared
from engine.core.errors import BadSignature

__all__ = ["Basic", "Shared", "Signed", "first", "with_body", "with_header"]


@dataclass(frozen=True, slots=True)
class Shared:
    """The secret `key` itself: in a header, or only where there is none, in a field of the body."""

    key: str
    header: str | None = None
    field: str | None = None

    @property
    def about(self) -> str:
        """As the protocol says."""
        places = [f"header `{self.header}`"] if self.header else []
        places += [f"`{self.field}` in the body"] if self.field else []
        return f"shared secret, {' or '.join(places)}"

    def verify(self, config: SourceConfig, notice: Notice) -> None:
        """As the protocol says."""
        given: object = header(notice.headers, self.header) if self.header else ""
        if not given and self.field:
            given = notice.content.get(self.field)
        require_shared(given if isinstance(given, str) else "", config.secrets.get(self.key, ""))

    def prove(self, config: SourceConfig, notice: Notice) -> Notice:
        """As the protocol says."""
        secret = first(config, self.key)
        if self.header:
            return notice if notice.content.get(self.field or "") else with_header(notice, self.header, secret)
        if self.field is None or self.field in notice.content:
            return notice
        return with_body(notice, {**notice.content, self.field: secret})


@dataclass(frozen=True, slots=True)
class Signed:
    """The hex HMAC of the raw bytes under the secret `key`, in a header or in the query.

    Where the body is only a wrapper around the object `inner`, that object's own bytes may be what was signed.
    """

    key: str
    algorithm: str
    header: str | None = None
    query: str | None = None
    inner: str | None = None

    @property
    def about(self) -> str:
        """As the protocol says."""
        place = f"header `{self.header}`" if self.header else f"query `{self.query}`"
        return f"HMAC-{self.algorithm.upper()} of the raw body, {place}"

    def verify(self, config: SourceConfig, notice: Notice) -> None:
        """As the protocol says."""
        given = header(notice.headers, self.header) if self.header else notice.query.get(self.query or "", "")
        signed = [notice.raw, *self._inside(notice)]
        secrets = in_rotation(config.secrets.get(self.key, ""))
        if not matches(given, [hmac_hex(secret, part, self.algorithm) for secret in secrets for part in signed]):
            raise BadSignature("signature")

    def prove(self, config: SourceConfig, notice: Notice) -> Notice:
        """As the protocol says."""
        signature = hmac_hex(first(config, self.key), notice.raw, self.algorithm)
        if self.header:
            return with_header(notice, self.header, signature)
        return replace(notice, query={self.query or "": signature, **notice.query})

    def _inside(self, notice: Notice) -> list[bytes]:
        if self.inner is None or not isinstance(notice.content.get(self.inner), Mapping):
            return []
        try:
            return [bytes(msgspec.json.decode(notice.raw, type=dict[str, msgspec.Raw])[self.inner])]
        except (msgspec.DecodeError, ValueError, LookupError):  # read another way: half a surrogate pair stands in it
            return []


@dataclass(frozen=True, slots=True)
class Basic:
    """HTTP's own user and password, the secrets `user` and `password`."""

    about: str = "user and password (HTTP basic)"

    def verify(self, config: SourceConfig, notice: Notice) -> None:
        """As the protocol says."""
        if not matches(header(notice.headers, "Authorization"), self._expected(config)):
            raise BadSignature("auth")

    def prove(self, config: SourceConfig, notice: Notice) -> Notice:
        """As the protocol says."""
        return with_header(notice, "Authorization", next(iter(self._expected(config)), ""))

    def _expected(self, config: SourceConfig) -> list[str]:
        """One for each password in rotation; none while a part is missing."""
        user = config.secrets.get("user", "")
        pairs = [f"{user}:{secret}" for secret in in_rotation(config.secrets.get("password", ""))] if user else []
        return [f"Basic {base64.b64encode(pair.encode()).decode()}" for pair in pairs]


def first(config: SourceConfig, key: str) -> str:
    """The secret that counts now; of several in rotation the first."""
    return next(iter(in_rotation(config.secrets.get(key, ""))), "")


def with_header(notice: Notice, name: str, value: str) -> Notice:
    """With a header, unless it is there already."""
    if header(notice.headers, name):
        return notice
    return replace(notice, headers={**notice.headers, name: value})


def with_body(notice: Notice, body: Mapping[str, object]) -> Notice:
    """With another body, and its bytes."""
    return replace(notice, body=body, raw=json.dumps(body).encode())
