"""The pictures of the README can be taken again, and show what they are said to show."""

import struct
from pathlib import Path

from playwright.async_api import Browser

from tests.browser.conftest import DESKTOP
from tests.browser.serving import serving
from tests.pictures import FOLDER, PICTURES, take
from tests.runtimes import a_runtime


async def test_every_picture_is_taken_of_the_application_in_its_size_and_stands_in_the_readme(
    browser: Browser, sqlite_url: str, tmp_path: Path
) -> None:
    runtime = a_runtime(sqlite_url)
    async with serving(runtime) as site:
        await take(browser, site, tmp_path)
    await runtime.close()

    readme = (FOLDER.parent.parent / "README.md").read_text()
    for name in PICTURES:
        for folder in (tmp_path, FOLDER):
            assert struct.unpack(">II", (folder / name).read_bytes()[16:24]) == DESKTOP, name
        assert f"docs/pictures/{name}" in readme
