"""Logs for people and for machines, and what must never stand in one (SEC-S22)."""

import io
import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from engine import logs
from engine.settings import LogFormat


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


def _lines(style: LogFormat = "json") -> tuple[io.StringIO, structlog.stdlib.BoundLogger]:
    stream = io.StringIO()
    logs.configure(style, stream)
    return stream, structlog.get_logger()


def test_an_event_is_one_json_line_with_its_facts() -> None:
    stream, log = _lines()

    log.info("sent", row=7)

    line = json.loads(stream.getvalue())
    assert (line["event"], line["row"], line["level"]) == ("sent", 7, "info")
    assert line["timestamp"].endswith("Z")


def test_what_libraries_log_comes_in_the_same_form() -> None:
    stream, _ = _lines()

    logging.getLogger("some.library").warning("password=%s", "hunter2")

    assert json.loads(stream.getvalue())["event"] == "password=***"


def test_the_console_form_is_one_line_for_people() -> None:
    stream, log = _lines("console")

    log.info("sent", row=7)

    assert "sent" in stream.getvalue()
    assert stream.getvalue().count("\n") == 1


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Authorization: Bearer abc.def-123", "Authorization: *** ***"),
        ("bearer abc.def-123", "bearer ***"),
        ('{"access_token": "EAAG123"}', '{"access_token": "***"}'),
        ("POST /hooks/wa/aB3_x-9 200", "POST /hooks/wa/*** 200"),
        ("POST /hooks/wa/aB3.x~9/messages-upsert 200", "POST /hooks/wa/***/messages-upsert 200"),
        ("GET /setup/aB3_x-9", "GET /setup/***"),
        ("GET /phone/aB3_x-9/chat", "GET /phone/***/chat"),
        ("POST /hooks/pay/aB3_x-9 200", "POST /hooks/pay/*** 200"),
        ("postgresql+psycopg://trilho:hunter2@db/trilho", "postgresql+psycopg://trilho:***@db/trilho"),
        ("key sk-abcdefghijklmnop", "key ***"),
        ("EAAGm0PX4ZCpsBAKZ", "***"),
        ("from 5511987654321 now", "from ***4321 now"),
        ("from +55 (11) 98765-4321 now", None),
        ("one\r\ntwo", "one\\r\\ntwo"),
        ("conversation 12345 version 7", "conversation 12345 version 7"),
        ("took 12.345678901 ms", "took 12.345678901 ms"),
    ],
)
def test_secrets_and_phones_are_hidden_and_ordinary_words_are_not(said: str, shown: str | None) -> None:
    stream, log = _lines()

    log.info("x", detail=said)

    detail = json.loads(stream.getvalue())["detail"]
    if shown is None:
        assert "98765" not in detail
    else:
        assert detail == shown


def test_a_traceback_is_cleaned_too() -> None:
    stream, log = _lines()

    try:
        raise ValueError("token=hunter2 of 5511987654321")
    except ValueError:
        log.exception("failed")

    assert "hunter2" not in stream.getvalue()
    assert "5511987654321" not in stream.getvalue()
    assert "ValueError" in json.loads(stream.getvalue())["exception"]
