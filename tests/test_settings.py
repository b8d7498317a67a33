"""The environment is read strictly: defaults work, typos and bad values are named, secrets are never shown."""

from pathlib import Path

import pytest

from engine.core.errors import BadSettings
from engine.settings import NAMES, as_environment, from_environment

SECRET = "k" * 32


def test_an_empty_environment_puts_everything_in_a_data_folder() -> None:
    settings = from_environment({"PATH": "/bin"})

    folder = Path("data").absolute()
    assert settings.data_dir == folder
    assert settings.database_url == f"sqlite:///{folder}/trilho.db"
    assert settings.redis_url == f"unix://{folder}/valkey.sock"
    assert (settings.secret_key, settings.base_url, settings.api_token, settings.log) == (None, None, None, "console")


def test_every_name_of_the_contract_is_read(tmp_path: Path) -> None:
    settings = from_environment(
        {
            "TRILHO_DATABASE_URL": "postgresql+psycopg://trilho:pw@db.example/trilho",
            "TRILHO_REDIS_URL": "rediss://:pw@cache.example:6380/1",
            "TRILHO_DATA_DIR": str(tmp_path),
            "TRILHO_SECRET_KEY": SECRET,
            "TRILHO_BASE_URL": "https://flows.example.com/",
            "TRILHO_API_TOKEN": SECRET,
            "TRILHO_LOG": "json",
        },
    )

    assert settings.database_url == "postgresql+psycopg://trilho:pw@db.example/trilho"
    assert settings.redis_url == "rediss://:pw@cache.example:6380/1"
    assert settings.data_dir == tmp_path
    assert settings.secret_key == settings.api_token == SECRET
    assert settings.base_url == "https://flows.example.com"
    assert settings.log == "json"


def test_settings_go_to_a_child_process_unchanged(tmp_path: Path) -> None:
    settings = from_environment(
        {
            "TRILHO_DATA_DIR": str(tmp_path),
            "TRILHO_SECRET_KEY": SECRET,
            "TRILHO_API_TOKEN": SECRET,
            "TRILHO_BASE_URL": "http://localhost:8000",
            "TRILHO_LOG": "json",
            "TRILHO_TRUSTED_PROXIES": "127.0.0.1, fd00::/8",
            "TRILHO_SECURITY_CONTACT": "mailto:seguranca@loja.example",
        },
    )

    assert from_environment(as_environment(settings)) == settings
    assert set(as_environment(settings)) == set(NAMES)
    assert from_environment(as_environment(from_environment({}))) == from_environment({})


def test_an_unknown_name_is_an_error_that_proposes_the_close_one() -> None:
    with pytest.raises(BadSettings) as refused:
        from_environment({"TRILHO_DATABASE_ULR": "sqlite:///x.db"})

    assert str(refused.value) == "TRILHO_DATABASE_ULR is not a setting, did you mean TRILHO_DATABASE_URL?"


def test_an_unknown_name_that_resembles_nothing_lists_the_settings() -> None:
    with pytest.raises(BadSettings) as refused:
        from_environment({"TRILHO_XYZZY": "1"})

    assert str(refused.value) == f"TRILHO_XYZZY is not a setting; the settings are {', '.join(NAMES)}"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TRILHO_DATABASE_URL", "mysql://host/x"),
        ("TRILHO_DATABASE_URL", "postgresql://host/x"),
        ("TRILHO_DATABASE_URL", "postgresql+psycopg://host"),
        ("TRILHO_DATABASE_URL", "postgresql+psycopg://host:port/x"),
        ("TRILHO_DATABASE_URL", "sqlite://"),
        ("TRILHO_DATABASE_URL", "sqlite://relative.db"),
        ("TRILHO_REDIS_URL", "localhost:6379"),
        ("TRILHO_REDIS_URL", "redis://"),
        ("TRILHO_REDIS_URL", "unix://relative.sock"),
        ("TRILHO_BASE_URL", "flows.example.com"),
        ("TRILHO_BASE_URL", "https://flows.example.com/?x=1"),
        ("TRILHO_BASE_URL", "https://[broken"),
        ("TRILHO_SECRET_KEY", "short"),
        ("TRILHO_API_TOKEN", "short"),
        ("TRILHO_LOG", "xml"),
        ("TRILHO_TRUSTED_PROXIES", "nginx"),
        ("TRILHO_TRUSTED_PROXIES", "10.0.0.1/8"),
        ("TRILHO_SECURITY_CONTACT", "somebody@example.com"),
        ("TRILHO_SECURITY_CONTACT", "javascript:x"),
        ("TRILHO_SECURITY_CONTACT", "https://x.example/ a"),
        ("TRILHO_DATA_DIR", __file__),
    ],
)
def test_a_bad_value_is_refused_by_the_name_of_its_setting(name: str, value: str) -> None:
    with pytest.raises(BadSettings) as refused:
        from_environment({name: value})

    assert str(refused.value).startswith(f"{name} must ")


@pytest.mark.parametrize("name", [name for name in NAMES if name != "TRILHO_DATA_DIR"])
def test_a_refused_value_is_not_repeated_for_it_may_be_a_secret_in_the_wrong_place(name: str) -> None:
    with pytest.raises(BadSettings) as refused:
        from_environment({name: "hunter2"})

    assert "hunter2" not in str(refused.value)


def test_all_mistakes_are_told_at_once_one_a_line() -> None:
    with pytest.raises(BadSettings) as refused:
        from_environment({"TRILHO_LOG": "xml", "TRILHO_BASEURL": "x", "TRILHO_REDIS_URL": "x"})

    assert [line.split()[0] for line in str(refused.value).splitlines()] == [
        "TRILHO_BASEURL",
        "TRILHO_REDIS_URL",
        "TRILHO_LOG",
    ]


def test_an_empty_value_counts_as_not_given() -> None:
    assert from_environment({"TRILHO_BASE_URL": " ", "TRILHO_LOG": ""}) == from_environment({})


def test_secrets_and_passwords_stay_out_of_the_printed_form() -> None:
    settings = from_environment(
        {
            "TRILHO_DATABASE_URL": "postgresql+psycopg://trilho:hunter2@db/trilho",
            "TRILHO_REDIS_URL": "redis://:hunter2@cache",
            "TRILHO_SECRET_KEY": "hunter2" * 5,
            "TRILHO_API_TOKEN": "hunter2" * 5,
        },
    )

    assert "hunter2" not in repr(settings)
