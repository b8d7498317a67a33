"""`channel`, `source`, `flow`, `user`, `doctor`, `audit`: commands on an installation that is there."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from engine.adapters.payments.registry import PLATFORMS
from engine.cli import channel
from engine.services import channels
from tests.command_line import Trilho, on_its_database
from tests.services.small_flow import small, without_talk


@pytest.fixture
def trilho(tmp_path: Path, sqlite_url: str) -> Trilho:
    return on_its_database(tmp_path)


@pytest.fixture
def write(tmp_path: Path):
    def written(tree: object) -> Path:
        path = tmp_path / "flow.json"
        path.write_text(json.dumps(tree))
        return path

    return written


CLOUD = ("channel", "add", "--kind", "whatsapp_cloud", "--name", "loja", "--token", "abc")


def test_a_channel_is_added_listed_changed_and_removed(trilho: Trilho) -> None:
    told = trilho(*CLOUD, "--set", "app_secret=s3gr3d0", "--set", "phone_number_id=1=2")
    assert (told.code, told.out.splitlines()[1]) == (0, "Webhook address: http://127.0.0.1:8000/hooks/wa/abc")

    told = trilho("channel", "set", "--name", "loja", "--rename", "nova", "--set", "app_secret=", "--json")
    shown = told.json
    assert (shown["name"], shown["secrets"], shown["settings"]) == ("nova", [], {"phone_number_id": "1=2"})

    [listed] = trilho("channel", "list", "--json").json["channels"]
    assert listed == shown
    assert [word for word in trilho("channel", "list").out.split() if word in ("nova", "venda")] == ["nova", "venda"]

    assert trilho("channel", "remove", "nova").out == "Channel nova removed.\n"
    assert trilho("channel", "list", "--json").json == {"channels": []}
    assert trilho("channel", "remove", "nova", "--json").errors == ["There is no channel nova."]


def test_what_the_command_line_offers_is_what_the_services_know() -> None:
    assert set(channel.KINDS) == set(channels.KEYS)
    assert channel.DEFAULT_FLOW == channels.DEFAULT_FLOW


def test_the_address_is_that_of_the_installation(trilho: Trilho) -> None:
    trilho.environment["TRILHO_BASE_URL"] = "https://trilho.example.com"

    assert trilho(*CLOUD, "--json").json["address"] == "https://trilho.example.com/hooks/wa/abc"


def test_secrets_are_never_printed(trilho: Trilho) -> None:
    told = [
        trilho(*CLOUD, "--set", "app_secret=s3gr3d0"),
        trilho("channel", "list"),
        trilho("channel", "list", "--json"),
    ]

    assert not any("s3gr3d0" in answer.out + answer.err for answer in told)
    assert told[2].json["channels"][0]["secrets"] == ["app_secret"]


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (
            ["--set", "colour=red"],
            "The key colour does not exist here; the keys are access_token, app_secret, base_url,",
        ),
        (["--set", "base_url=x"], "base_url must be an address such as https://graph.facebook.com."),
        (["--token", "a b"], "A token has 1 to 128 letters, digits or the signs - _ . ~"),
        (["--name", " "], "A name has 1 to 80 printable characters."),
    ],
)
def test_a_channel_that_cannot_be_is_one_line(trilho: Trilho, words: list[str], line: str) -> None:
    [told] = trilho(*CLOUD, *words).mistakes

    assert told.startswith(line)


def test_a_name_or_a_token_is_taken_once(trilho: Trilho) -> None:
    trilho(*CLOUD)

    assert trilho(*CLOUD).mistakes == ["The name or the token is taken already."]


def test_a_flow_that_is_not_there_takes_no_contacts(trilho: Trilho, write) -> None:
    trilho("flow", "publish", write(small()))

    assert trilho(*CLOUD).mistakes == ["There is no flow venda."]
    assert trilho(*CLOUD, "--flow", "pequeno").code == 0


def test_a_payment_source_is_added_listed_changed_and_removed(trilho: Trilho) -> None:
    add = ("source", "add", "--platform", "hotmart", "--name", "curso", "--flow", "venda", "--token", "pay")
    told = trilho(*add, "--set", "hottok=h0tt0k", "--set", "event.approved=comprou")
    assert (told.code, told.out.splitlines()[1]) == (0, "Webhook address: http://127.0.0.1:8000/hooks/pay/pay")
    assert "h0tt0k" not in told.out

    shown = trilho("source", "set", "curso", "--set", "event.refused=negado", "--json").json
    assert (shown["events"]["approved"], shown["events"]["refused"], shown["secrets"]) == (
        "comprou",
        "negado",
        ["hottok"],
    )
    assert trilho("source", "list", "--json").json == {"sources": [shown]}
    assert "curso" in trilho("source", "list").out

    assert trilho("source", "remove", "--name", "curso", "--json").json == {"removed": "curso"}
    assert trilho("source", "set", "curso").mistakes == ["There is no payment source curso."]


def test_an_outcome_becomes_only_an_event_that_its_flow_has(trilho: Trilho, write) -> None:
    events = {"msg_recebida": {"source": "message"}, "comprou": {"source": "payment"}}
    assert trilho("flow", "publish", str(write(small(events=events)))).code == 0
    add = ("source", "add", "--platform", "hotmart", "--name", "curso", "--flow", "pequeno")
    told = "The flow pequeno has no payment event comprov; it has: comprou."
    assert trilho(*add, "--set", "event.approved=comprov").mistakes == [told]
    assert trilho("source", "list", "--json").json == {"sources": []}

    assert trilho(*add, "--set", "event.approved=comprou", "--set", "event.refunded=-").code == 0

    assert trilho("source", "set", "curso", "--set", "event.pix=msg_recebida").mistakes == [
        "The flow pequeno has no payment event msg_recebida; it has: comprou."
    ]
    events_now = trilho("source", "list", "--json").json["sources"][0]["events"]
    assert (events_now["approved"], events_now["refunded"], events_now["pix"]) == ("comprou", "-", "pix_gerado")
    assert trilho(*add[:3], "paypal", *add[4:]).mistakes == ["There is no payment platform paypal."]


def test_the_flows_of_products_are_listed_with_their_source(trilho: Trilho, write) -> None:
    trilho("flow", "publish", write(small()))
    add = ("source", "add", "--platform", "kiwify", "--name", "k", "--flow", "pequeno", "--set", "token=t0ken")
    told = trilho(*add, "--set", "product.Curso Ouro=pequeno", "--set", "zone=America/Manaus", "--json").json

    assert (told["products"], told["settings"]) == ({"Curso Ouro": "pequeno"}, {"zone": "America/Manaus"})
    assert "Curso Ouro=pequeno" in trilho("source", "list").out
    assert trilho("source", "set", "k", "--set", "product.x=nowhere").mistakes == ["There is no flow nowhere."]
    [line] = trilho("source", "set", "k", "--set", "zone=Mars").mistakes
    assert line == "zone must be a time zone such as America/Sao_Paulo."
    [line] = trilho("source", "set", "k", "--set", "hottok=x").mistakes
    assert line.startswith("The key hottok does not exist here; the keys are event.abandoned,")


def test_the_help_names_the_keys_of_every_platform(trilho: Trilho) -> None:
    told = trilho("source", "add", "--help").out

    for name, platform in PLATFORMS.items():
        assert f"Keys of {name} ({platform.title}):" in told
        assert all(key.name in told for key in platform.keys)


def test_what_platforms_were_asked_in_vain_is_listed_and_asked_again(trilho: Trilho) -> None:
    trilho("source", "add", "--platform", "mercadopago", "--name", "mp", "--flow", "venda", "--set", "secret=s")

    assert trilho("source", "unanswered", "--json").json == {"unanswered": []}
    with closing(sqlite3.connect(trilho.data / "trilho.db")) as database, database:
        database.execute(
            "INSERT INTO inquiry (source_id, provider_id, webhook_id, about, received_at, due_at, lease_until, attempt,"
            " outcome, reason) VALUES (1, 'n-1', 'w', '{}', 1764500000000, 1, 0, 8, 'failed', 'http_401')"
        )
    [row] = trilho("source", "unanswered", "--json").json["unanswered"]
    assert row == {
        "source": "mp",
        "platform": "mercadopago",
        "notice": "n-1",
        "since": "2025-11-30T10:53:20Z",
        "attempts": 8,
        "next": None,
        "reason": "http_401",
    }
    assert "http_401" in trilho("source", "unanswered").out
    assert trilho("source", "ask-again", "mp").out == "Payment source mp: 1 notice is asked about again.\n"
    assert trilho("source", "ask-again", "--name", "mp", "--json").json == {"source": "mp", "notices": 0}
    assert trilho("source", "ask-again", "x").mistakes == ["There is no payment source x."]


def test_a_flow_is_published_as_the_next_version(trilho: Trilho, write) -> None:
    told = trilho("flow", "publish", write(small()), "--note", "primeira")
    assert (told.code, told.out.splitlines()[-1]) == (0, "pequeno@1 is published.")

    answer = trilho("flow", "publish", write(without_talk()), "--json").json
    assert (answer["flow"], answer["version"], answer["published"]) == ("pequeno", 2, True)

    [flow] = trilho("flow", "list", "--json").json["flows"]
    assert (flow["flow"], flow["live"], [v["version"] for v in flow["versions"]]) == ("pequeno", 2, [2, 1])
    assert flow["versions"][1]["note"] == "primeira"
    assert "pequeno  2" in trilho("flow", "list").out


def test_the_same_flow_again_is_no_new_version(trilho: Trilho, write) -> None:
    trilho("flow", "publish", write(small()))

    told = trilho("flow", "publish", write(small()))
    assert (told.code, told.out) == (0, "pequeno@1 is this flow already: nothing was published.\n")
    answer = trilho("flow", "publish", write(small()), "--json").json
    assert (answer["version"], answer["published"]) == (1, False)


def test_findings_block_with_exit_code_1_and_nothing_is_stored(trilho: Trilho, write) -> None:
    bad = write(small(states={**small()["states"], "SOLTO": {"deadline": "1d"}}))

    told = trilho("flow", "publish", bad)
    assert told.code == 1
    assert "erro S1" in told.out
    answer = trilho("flow", "publish", bad, "--json")
    assert (answer.code, answer.json["version"], answer.json["published"]) == (1, None, False)
    assert "S1" in {finding["code"] for finding in answer.json["findings"]}
    assert trilho("flow", "list", "--json").json == {"flows": []}


def test_a_file_that_is_no_flow_is_a_line_a_mistake(trilho: Trilho, write) -> None:
    assert len(trilho("flow", "publish", write({"schema": 1}), "--language", "en").mistakes) == 4
    assert trilho("flow", "publish", "no.json", "--language", "en").mistakes == ["the file cannot be read"]
    assert trilho("flow", "publish", write(small()), "--note", "x" * 501).mistakes == [
        "The note is longer than 500 characters."
    ]


def test_a_flow_is_shown_as_the_document_that_was_published(trilho: Trilho, write) -> None:
    trilho("flow", "publish", write(small()))
    trilho("flow", "publish", write(without_talk()))

    assert "CONVERSA" in json.loads(trilho("flow", "show", "pequeno@1").out)["states"]
    shown = trilho("flow", "show", "pequeno", "--json").json
    assert (shown["flow"], shown["version"]) == ("pequeno", None)
    assert "CONVERSA" not in shown["document"]["states"]
    assert trilho("flow", "show", "pequeno@3").mistakes == ["There is no flow pequeno@3."]


def test_somebody_gets_a_one_time_link_and_no_password(trilho: Trilho) -> None:
    told = trilho("user", "add", "Ana@Example.com", "--role", "marketer", "--name", "Ana")
    assert (told.code, told.out.splitlines()[1].startswith("http://127.0.0.1:8000/setup/")) == (0, True)

    answer = trilho("user", "add", "b@example.com", "--role", "admin", "--json").json
    assert set(answer) == {"email", "role", "link"}
    assert trilho("user", "add", "ana@example.com", "--role", "admin").mistakes == [
        "There is an account with the address ana@example.com already."
    ]
    assert trilho("user", "add", "ana", "--role", "admin").mistakes == ["That is not an e-mail address."]


def test_people_are_listed_and_their_role_state_and_links_change(trilho: Trilho) -> None:
    assert "Nobody yet" in trilho("user", "list").out
    first = trilho("user", "add", "ana@example.com", "--role", "marketer", "--json").json["link"]
    trilho("user", "add", "b@example.com", "--role", "admin")

    again = trilho("user", "link", " Ana@Example.com", "--json").json
    assert (again["email"], again["link"] != first) == ("ana@example.com", True)
    assert trilho("user", "role", "ana@example.com", "publisher").out == "ana@example.com is a publisher now.\n"
    assert trilho("user", "disable", "ana@example.com", "--json").json["state"] == "disabled"
    people = {one["email"]: one for one in trilho("user", "list", "--json").json["people"]}
    assert (people["ana@example.com"]["role"], people["ana@example.com"]["state"]) == ("publisher", "disabled")
    assert people["b@example.com"]["state"] == "invited"
    assert trilho("user", "enable", "ana@example.com").code == 0
    assert "ana@example.com  publisher  invited  no second factor  seen never" in trilho("user", "list").out
    assert trilho("user", "drop-second-factor", "ana@example.com").code == 0
    assert trilho("user", "role", "nobody@example.com", "admin").mistakes == ["There is no account nobody@example.com."]


def test_doctor_says_what_holds_and_what_is_broken(trilho: Trilho, write) -> None:
    trilho("flow", "publish", write(small()))
    told = trilho("doctor")
    assert told.code == 0
    assert told.out.splitlines()[-1] == "Every invariant holds."
    assert trilho("doctor", "--json").json["holds"] is True

    with closing(sqlite3.connect(trilho.data / "trilho.db")) as connection:
        connection.execute("UPDATE flow SET live = 7")
        connection.commit()

    told = trilho("doctor")
    assert told.code == 1
    assert "BROKEN  versions" in told.out
    assert "        flow pequeno@7" in told.out
    answer = trilho("doctor", "--json")
    [broken] = [one for one in answer.json["invariants"] if not one["holds"]]
    assert (answer.code, broken["invariant"], broken["rows"]) == (1, "versions", ["flow pequeno@7"])


def test_the_audit_log_is_verified_against_itself_and_an_anchor(trilho: Trilho, write) -> None:
    trilho("flow", "publish", write(small()))
    trilho("user", "add", "a@example.com", "--role", "admin")
    answer = trilho("audit", "verify", "--json").json
    assert (answer["holds"], answer["audit"]["rows"], answer["broken"]) == (True, 2, None)
    head = answer["audit"]["head"]
    assert head in trilho("audit", "verify").out
    assert trilho("audit", "verify", "--anchor", head).code == 0

    with closing(sqlite3.connect(trilho.data / "trilho.db")) as connection:
        connection.executescript(
            "DROP TRIGGER audit_no_delete; DROP TRIGGER audit_no_update; DELETE FROM audit WHERE id = 2"
        )
    assert trilho("audit", "verify").code == 0
    assert trilho("audit", "verify", "--anchor", head).code == 1

    with closing(sqlite3.connect(trilho.data / "trilho.db")) as connection:
        connection.execute("UPDATE audit SET who = 'somebody else'")
        connection.commit()
    told = trilho("audit", "verify")
    assert (told.code, told.out.splitlines()[-1]) == (1, "BROKEN at audit 1.")


def test_what_is_done_here_is_in_the_audit_log(trilho: Trilho) -> None:
    trilho(*CLOUD)

    with closing(sqlite3.connect(trilho.data / "trilho.db")) as connection:
        [(who, what)] = connection.execute("SELECT who, what FROM audit").fetchall()
    assert who.startswith("terminal")
    assert what == "channel.added"


def test_people_are_taken_in_from_a_file_and_every_bad_line_is_told(trilho: Trilho, tmp_path: Path) -> None:
    file = tmp_path / "lista.csv"
    file.write_bytes("telefone,nome\n11 91234-5678,João\nabc,Bia\n".encode("cp1252"))

    told = trilho("contacts", "import", str(file), "--proof", "cadastro do site")
    assert told.code == 0
    assert told.out.splitlines() == [
        "line 3: this is not a telephone number (abc)",
        "1 people: 1 new, 0 known; 1 with a proof of consent.",
    ]
    again = trilho("contacts", "import", str(file), "--json").json
    assert (again["known"], again["problems"]) == (1, [{"line": 3, "reason": "phone_unreadable", "cell": "abc"}])
    file.write_text("nome\nAna\n")
    refused = trilho("contacts", "import", str(file))
    assert (refused.code, "telephone" in refused.err) == (2, True)
