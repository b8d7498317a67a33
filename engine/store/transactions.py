"""Runs units of work on one connection: many in one transaction when they wait together, else one by one.

A unit is a function of a `Tx`. It may be run more than once, so it must read what it decides on inside itself and keep
no memory outside the database. What a unit raises is its own answer and touches no other unit: when one of a group
raises, the group is rolled back and each is run again alone.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeAlias

from engine.core.errors import StaleConversation, StoreUnavailable
from engine.store import drivers
from engine.store.connection import Tx
from engine.store.failures import Busy, meaning
from engine.store.joint import in_turn
from engine.store.later import Later

__all__ = ["Answer", "Transactions", "Unit"]

Unit: TypeAlias = Callable[[Tx], Any]
ATTEMPTS = 3
"""How often work is tried again that another transaction held off (deadlock, serialization, lock, stale version)."""


class Unreachable(StoreUnavailable):
    """No connection can be opened."""


class Unsettled(StoreUnavailable):
    """The commit itself failed: whether it holds is not known, so nothing here tries again."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What one unit came to: its value, or what it raised."""

    value: Any = None
    error: BaseException | None = None


class Transactions:
    """One connection, opened when first needed and again after it was lost. Used by one thread at a time."""

    def __init__(self, url: str, *, writes: bool) -> None:
        self._url, self._writes = url, writes
        self._driver: Any = None
        self.commits = 0
        self.dialect = drivers.dialect_of(url)
        # SQLite is only busy at BEGIN, after it waited for the lock all the time that a caller can be kept waiting.
        self._tries = 1 if self.dialect == drivers.SQLITE else ATTEMPTS

    def together(self, units: Sequence[Unit]) -> list[Answer]:
        """One answer a unit, in order. Units that waited together share one commit (group commit)."""
        answers = self._grouped(units) if len(units) > 1 else None
        return answers if answers is not None else self._one_by_one(units)

    def alone(self, unit: Unit) -> Answer:
        """The unit in its own transaction, tried again a bounded number of times when others were in the way."""
        for attempt in range(1, ATTEMPTS + 1):
            reused = self._driver is not None
            try:
                return Answer(self._committed((unit,))[0])
            except (Busy, StaleConversation) as error:
                if attempt == (self._tries if isinstance(error, Busy) else ATTEMPTS):
                    return Answer(error=error)
            except (Unreachable, Unsettled) as error:
                return Answer(error=error)
            except StoreUnavailable as error:
                # A connection that lay idle may have died long ago; a fresh one that fails is news.
                if not reused or attempt == ATTEMPTS:
                    return Answer(error=error)
            except BaseException as error:  # noqa: BLE001 - whatever a unit raises is its caller's to see
                return Answer(error=error)
        raise AssertionError("unreachable")

    def close(self) -> None:
        """Give the connection back; the next unit would open a new one."""
        driver, self._driver = self._driver, None
        if driver is not None:
            with suppress(Exception):  # it is being thrown away, perhaps because it is broken
                driver.close()

    def _grouped(self, units: Sequence[Unit]) -> list[Answer] | None:
        """One transaction for all, or None when they have to be run alone."""
        for attempt in range(1, self._tries + 1):
            try:
                return [Answer(value) for value in self._committed(units)]
            except Busy as error:
                if attempt == self._tries == 1:
                    return [_same(error) for _ in units]
            except (Unreachable, Unsettled) as error:
                return [_same(error) for _ in units]
            except BaseException:  # noqa: BLE001 - the culprit gets it again, alone
                return None
        return None

    def _one_by_one(self, units: Sequence[Unit]) -> list[Answer]:
        answers: list[Answer] = []
        for unit in units:
            before = answers[-1].error if answers else None
            if isinstance(before, Busy | Unreachable):
                # The others would wait as long, one after the other, for the same answer.
                answers.append(_same(before))
            else:
                answers.append(self.alone(unit))
        return answers

    def _committed(self, units: Sequence[Unit]) -> list[Any]:
        driver = self.driver()
        try:
            drivers.begin(driver, writes=self._writes)
            values: list[Any] = []
            tx = Tx(driver, self.dialect, Later())
            for answered in in_turn(units):
                values.extend(answered(tx))
            tx.flush()
        except BaseException as error:  # noqa: BLE001 - rolled back and raised again, translated
            self._rolled_back(driver)
            told = meaning(error)
            if isinstance(told, StoreUnavailable) and not isinstance(told, Busy):
                self.close()
            raise told from (error if told is not error else error.__cause__)
        try:
            driver.commit()
        except Exception as error:
            self._rolled_back(driver)
            self.close()
            told = meaning(error)
            raise Unsettled(str(told)) if isinstance(told, StoreUnavailable) else told from error
        self.commits += 1
        return values

    def driver(self) -> Any:
        """The driver's connection, opened if it is not. Raises Unreachable."""
        if self._driver is None:
            try:
                self._driver = drivers.connect(self._url, writes=self._writes)
            except Exception as error:
                told = meaning(error)
                raise Unreachable(str(told)) if isinstance(told, StoreUnavailable) else told from error
        return self._driver

    def _rolled_back(self, driver: Any) -> None:
        try:
            driver.rollback()
        except Exception:  # noqa: BLE001 - a connection that cannot roll back is not used again
            self.close()


def _same(error: StoreUnavailable) -> Answer:
    """The same news for another unit: an exception object belongs to one caller, who adds his traceback to it."""
    return Answer(error=type(error)(*error.args))
