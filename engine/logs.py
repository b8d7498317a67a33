"""What a process says about itself: one line an event, for people or as JSON, without secrets and telephone numbers."""

import logging
import re
import sys
from collections.abc import Callable
from typing import TextIO

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from engine.settings import LogFormat

NOISY = ("arq", "alembic", "asyncio", "httpx", "httpcore", "sqlalchemy.engine")
_HIDDEN = "***"
_SECRETS = (
    re.compile(r"(?i)(\bbearer\s+)[\w.~+/=-]+"),
    re.compile(
        r"(?i)((?:token|secret|password|passwd|api[_-]?key|authorization|hottok|signature)\"?'?\s*[=:]\s*\"?'?)[^\s\"',;&]+"
    ),
    re.compile(r"(://[^\s:/@]*:)[^\s@/]+(?=@)"),  # the password of an address
    re.compile(r"(/(?:hooks/(?:wa|pay)|setup|phone)/)[\w.~%-]+"),
    re.compile(r"()\b(?:EAA|sk-|sk_live_|sk_test_|whsec_|eyJ)[\w.-]{10,}"),
)
_PHONE = re.compile(r"(?<![\w.])\+?\d[\d() -]{7,17}(\d{4})(?![\w.])")
_BREAKS = str.maketrans({"\r": "\\r", "\n": "\\n"})


def configure(style: LogFormat, stream: TextIO | None = None) -> None:
    """Send everything, also what libraries log, to `stream` (standard output), from INFO on."""
    target = stream or sys.stdout
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        redact,
    ]
    renderer: Processor = (
        structlog.processors.JSONRenderer(ensure_ascii=False)
        if style == "json"
        else structlog.dev.ConsoleRenderer(colors=target.isatty())
    )
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(target)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        ),
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    for name in NOISY:
        logging.getLogger(name).setLevel(logging.WARNING)


def redact(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Hide what must not be read in a log and keep one event on one line (SEC-S22); tracebacks keep their lines."""
    return {
        key: _cleaned(value, str if key == "exception" else _one_line) if isinstance(value, str) else value
        for key, value in event.items()
    }


def _one_line(text: str) -> str:
    return text.translate(_BREAKS)


def _cleaned(text: str, shape: Callable[[str], str]) -> str:
    for pattern in _SECRETS:
        text = pattern.sub(rf"\g<1>{_HIDDEN}", text)
    return shape(_PHONE.sub(rf"{_HIDDEN}\g<1>", text))
