"""`trilho contacts`: people out of a file, with the proof that they want to be written to."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from engine.cli.answers import as_json, say, say_json
from engine.cli.opening import actor, with_runtime

if TYPE_CHECKING:
    from engine.runtime import Runtime
    from engine.services.portrait import Portrait
    from engine.store.contact_files import StoredFile

REASONS = {
    "phone_unreadable": "this is not a telephone number",
    "no_phone": "there is no telephone number",
    "email_unreadable": "this is not an e-mail address",
    "date_unreadable": "this is not a date",
    "date_in_future": "this date is in the future",
    "cell_too_long": "a cell is too long",
    "too_many_tags": "there are too many tags",
    "too_many_rows": "the file has more lines than are taken; this one and those after it were left",
    "twice_in_file": "the number stands in the file already; the lines were put together",
    "no_proof": "taken in, but left out of campaigns: no proof of consent",
    "opted_out": "taken in, but left out of campaigns: the person asked for no more messages",
}


@click.group()
def contacts() -> None:
    """People that the robot may write to."""


@contacts.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--proof", default="", help="Where the consent of all of them is known from, in a sentence.")
@as_json
def import_(file: Path, proof: str, json_: bool) -> None:
    """Take in the people of a CSV file: phone, name, email, tags, optin_at, optin_proof, told by its first line.

    All of it is taken in or nothing. Every line that is not taken is told with its reason, and so is everybody who has no
    proof of consent or asked for no more messages: they are known, and left out of campaigns.
    """
    raw = file.read_bytes()

    async def work(runtime: "Runtime") -> "StoredFile":
        from engine.services import contact_files

        number = await contact_files.upload(runtime, file.name, raw, actor())
        return await contact_files.take(runtime, number, proof, actor())

    taken = with_runtime(work)
    if json_:
        problems = [{"line": line, "reason": reason, "cell": cell} for line, reason, cell in taken.problems]
        say_json({"file": taken.name, "id": taken.id, **taken.facts, "problems": problems})
        return
    for line, reason, cell in taken.problems:
        say(f"line {line}: {REASONS.get(reason, reason)}{f' ({cell})' if cell else ''}")
    told = taken.facts
    say(f"{told['people']} people: {told['new']} new, {told['known']} known; {told['proved']} with a proof of consent.")


@contacts.command("export")
@click.argument("number", type=int)
@click.option("--to", "target", type=click.Path(path_type=Path), required=True, help="The ZIP file to write.")
@as_json
def export(number: int, target: Path, json_: bool) -> None:
    """Write everything that is held of the person with this number into one ZIP file: data, a page to read, their files."""

    async def work(runtime: "Runtime") -> "Portrait":
        from engine.services import portrait

        return await portrait.export(runtime, number, actor())

    from engine.services.portrait import Words, archive

    found = with_runtime(work)
    target.write_bytes(archive(found, Words("en", f"Person {number}", {}, {})))
    counts = {name: len(rows) for name, rows in found.rows.items()}
    if json_:
        say_json({"contact": number, "file": str(target), "rows": counts})
        return
    say(f"{target}: {sum(counts.values())} rows, {len(found.files)} files.")


@contacts.command("erase")
@click.argument("number", type=int)
@click.option("--yes", is_flag=True, help="Really erase; without it only what would go is told.")
@as_json
def erase(number: int, yes: bool, json_: bool) -> None:
    """Erase the person with this number, for good. Without --yes it says what would be erased, and erases nothing."""

    async def work(runtime: "Runtime") -> "dict[str, int]":
        from engine.services import erase as erasing

        if yes:
            return (await erasing.erase(runtime, number, actor())).rows
        return (await erasing.held(runtime, number)).rows

    rows = {name: count for name, count in with_runtime(work).items() if count}
    if json_:
        say_json({"contact": number, "erased": yes, "rows": rows})
        return
    for name, count in rows.items():
        say(f"{name}: {count}")
    say(f"Person {number} is erased." if yes else f"Nothing is erased yet: --yes erases person {number} for good.")
