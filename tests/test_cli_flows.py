"""`check`, `diagram` and `scenario`: flows from files, the database and the samples, without needing a database."""

import json
from pathlib import Path

import pytest

from engine import samples
from tests.command_line import Trilho
from tests.services.small_flow import small
from tests.web.test_pictures_of_phases import long_flow

BROKEN = small(states={**small()["states"], "SOLTO": {"deadline": "1d"}})
"""Nothing leads to SOLTO, and nothing leaves it."""
PEOPLE = {
    "case": "one message", "source": "test", "symptom": "-", "given": "venda",
    "setup": {"channel": {"kind": "phone"}}, "inputs": [], "expect": {"replies": 0},
}  # fmt: skip


@pytest.fixture
def trilho(tmp_path: Path) -> Trilho:
    return Trilho(tmp_path / "data")


@pytest.fixture
def write(tmp_path: Path):
    def written(name: str, tree: object) -> Path:
        path = tmp_path / name
        path.write_text(tree if isinstance(tree, str) else json.dumps(tree))
        return path

    return written


def test_a_good_flow_passes_and_says_so_in_both_languages(trilho: Trilho) -> None:
    assert trilho("check", "venda").out == "Nada encontrado em venda.\n"
    assert trilho("check", "venda", "--language", "en").out == "Nothing found in venda.\n"


def test_the_json_of_check_is_as_promised(trilho: Trilho, write) -> None:
    told = trilho("check", write("f.json", BROKEN), "--json")

    assert told.code == 1
    answer = told.json
    assert set(answer) == {"flow", "sha256", "findings", "stats"}
    assert (answer["flow"], len(answer["sha256"])) == ("pequeno", 64)
    found = {finding["code"]: finding for finding in answer["findings"]}
    assert set(found["S1"]) == {"code", "severity", "where", "message", "facts", "witness", "path", "fixes"}
    assert found["S1"]["where"] == {"state": "SOLTO", "event": None, "transitions": []}
    assert found["S1"]["severity"] == "error"
    assert answer["stats"]["errors"] == sum(f["severity"] == "error" for f in answer["findings"]) > 0


def test_findings_are_told_with_place_and_example(trilho: Trilho) -> None:
    told = trilho("check", "venda-literal", "--language", "en")

    assert told.code == 1
    assert "error " in told.out
    assert "    where: " in told.out
    assert "    fix: " in told.out
    assert told.out.splitlines()[-1].startswith("venda-literal: ")
    witnessed = small(
        transitions=[
            *small()["transitions"],
            {"id": "t5", "from": "NOVO", "on": "msg_recebida", "to": "FIM", "when": "toques > 3"},
        ]
    )
    path = trilho.data.parent / "g.json"
    path.write_text(json.dumps(witnessed))
    assert "    exemplo: toques = " in trilho("check", path).out


def test_a_warning_counts_only_when_asked(trilho: Trilho, write) -> None:
    path = write("warned.json", small(ignore=[]))

    severities = {finding["severity"] for finding in trilho("check", path, "--json").json["findings"]}
    assert severities == {"warning"}
    assert trilho("check", path).code == 0
    assert trilho("check", path, "--fail-on", "warning").code == 1


@pytest.mark.parametrize(
    ("tree", "lines"),
    [
        ("{", ["1:2: "]),
        ("", ["o arquivo está vazio"]),
        (small(initial="NADA", cor=1), ["cor: a chave “cor” não existe aqui", "initial: o estado “NADA” não existe"]),
    ],
)
def test_what_cannot_be_read_is_a_line_a_mistake(trilho: Trilho, write, tree: object, lines: list[str]) -> None:
    path = write("f.yaml", tree)

    mistakes = trilho("check", path).mistakes

    assert len(mistakes) == len(lines)
    assert all(any(line in told for told in mistakes) for line in lines)
    assert len(trilho("check", path, "--json").errors) == len(lines)


@pytest.mark.parametrize("command", [["check"], ["diagram", "-o", "x.svg"]])
def test_a_flow_that_is_nowhere_is_one_line(trilho: Trilho, command: list[str]) -> None:
    assert trilho(command[0], "outro", *command[1:]).mistakes == ["There is no flow outro."]
    assert trilho(command[0], "venda@1", *command[1:]).mistakes == ["There is no flow venda@1."]
    assert trilho(command[0], "no.yaml", *command[1:]).mistakes == ["o arquivo não pode ser lido"]


def test_neither_check_nor_diagram_makes_a_database(trilho: Trilho, tmp_path: Path) -> None:
    trilho("check", "venda")
    trilho("diagram", "venda", "-o", tmp_path / "x.mmd")

    assert [path.name for path in tmp_path.iterdir()] == ["x.mmd"]


def test_the_draft_of_the_database_comes_before_the_sample(trilho: Trilho, write) -> None:
    trilho("migrate")
    trilho("flow", "publish", write("f.json", {**small(), "slug": "venda"}))

    assert trilho("check", "venda", "--json").json["stats"]["states"] == 3
    assert trilho("check", "venda@1", "--json").json["stats"]["states"] == 3


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("f.svg", b"<svg"),
        ("f.png", b"\x89PNG"),
        ("f.pdf", b"%PDF"),
        ("f.dot", b"digraph"),
        ("f.mmd", b"stateDiagram-v2"),
    ],
)
def test_a_picture_in_each_format(trilho: Trilho, write, tmp_path: Path, name: str, start: bytes) -> None:
    told = trilho("diagram", write("f.json", small()), "-o", tmp_path / name, "--json")

    content = (tmp_path / name).read_bytes()
    assert told.json == {"flow": "pequeno", "file": str(tmp_path / name), "format": name[2:], "bytes": len(content)}
    assert content.startswith(start)


def test_the_theme_and_the_actions_are_a_matter_of_choice(trilho: Trilho, write, tmp_path: Path) -> None:
    path, drawn = write("f.json", small()), []
    for words in ([], ["--theme", "dark"], ["--no-actions"], ["--language", "en"]):
        assert trilho("diagram", path, "-o", tmp_path / "x", "--format", "svg", *words).code == 0
        drawn.append((tmp_path / "x").read_text())

    assert len(set(drawn)) == 4


def test_a_flow_that_no_picture_holds_is_drawn_by_phase(trilho: Trilho, write, tmp_path: Path) -> None:
    path = write("f.json", long_flow())

    told = trilho("diagram", path, "-o", tmp_path / "x.svg")
    assert told.out.strip() == f"longo is drawn in {tmp_path / 'x.svg'}, the overview of its 5 phases."
    told = trilho("diagram", path, "-o", tmp_path / "y.svg", "--phase", "2")
    assert told.out.strip() == f"longo is drawn in {tmp_path / 'y.svg'}, phase 2 of 5."
    assert (tmp_path / "x.svg").read_text() != (tmp_path / "y.svg").read_text()
    assert (
        trilho("diagram", path, "-o", tmp_path / "x.svg", "--phase", "6")
        .mistakes[0]
        .startswith("longo has no phase 6: it has 5.")
    )


def test_what_a_diagram_cannot_be_is_one_line(trilho: Trilho, write, tmp_path: Path) -> None:
    path = write("f.json", small())

    [told] = trilho("diagram", path, "-o", tmp_path / "x.gif").mistakes
    assert told == "The ending of x.gif is none of svg, png, pdf, dot, mmd: say --format. See `trilho diagram --help`."
    [told] = trilho("diagram", path, "-o", tmp_path / "no" / "x.svg").mistakes
    assert told == f"The file {tmp_path}/no/x.svg cannot be written: No such file or directory."


def test_scenarios_are_a_line_each_and_a_sum(trilho: Trilho, write, tmp_path: Path) -> None:
    good, bad = write("a.json", PEOPLE), write("b.json", {**PEOPLE, "expect": {"replies": 3}})

    told = trilho("scenario", good)
    assert (told.code, told.out) == (0, f"passed  {good}\n1 passed, 0 failed\n")

    told = trilho("scenario", tmp_path)
    lines = told.out.splitlines()
    assert told.code == 1
    assert lines[0] == f"passed  {good}"
    assert lines[1] == f"FAILED  {bad}"
    assert lines[2].startswith("    ")
    assert lines[-1] == "1 passed, 1 failed"

    told = trilho("scenario", tmp_path, "--json")
    assert told.code == 1
    [first, second] = told.json["results"]
    assert first == {"file": str(good), "passed": True, "differences": []}
    assert (second["passed"], len(second["differences"])) == (False, 1)
    assert not trilho.data.exists()


def test_a_scenario_on_postgresql(trilho: Trilho, write, postgres_url: str) -> None:
    assert trilho("scenario", write("a.json", PEOPLE), "--database-url", postgres_url).code == 0


def test_scenarios_that_are_not_there_are_a_line_each(trilho: Trilho, tmp_path: Path) -> None:
    assert trilho("scenario", tmp_path / "x.json", tmp_path / "y").mistakes == [
        f"{tmp_path}/x.json: There is no such file or folder.",
        f"{tmp_path}/y: There is no such file or folder.",
    ]
    (tmp_path / "empty").mkdir()
    assert len(trilho("scenario", tmp_path / "empty").mistakes) == 1
    [told] = trilho("scenario", tmp_path, "--database-url", "mysql://x").mistakes
    assert told.startswith("--database-url must be ")


def test_the_sample_in_a_file_is_the_sample(trilho: Trilho, write) -> None:
    path = write("v.yaml", samples.source("venda"))

    assert trilho("check", path, "--json").json == trilho("check", "venda", "--json").json


def test_publishing_a_word_that_another_flow_claims_says_so(trilho: Trilho, write) -> None:
    """R71."""
    trilho("migrate")
    trilho("flow", "publish", write("a.json", small(slug="a", entry={"words": ["curso"]})))
    told = trilho("flow", "publish", write("b.json", small(slug="b", entry={"words": ["CURSO"]})))

    assert told.code == 0
    assert "word 'CURSO' leads to a too" in told.out
    again = trilho("flow", "publish", write("b.json", small(slug="b", entry={"words": ["CURSO"]})), "--json").json
    assert again["shared"] == [{"by": "word", "what": "CURSO", "flow": "a"}]


def test_paths_of_findings_are_saved_as_scenarios_that_play(trilho: Trilho, tmp_path: Path) -> None:
    folder = tmp_path / "paths"

    told = trilho("check", "venda-literal", "--save-paths", folder, "--json")

    files = [row["file"] for row in told.json["paths"]]
    assert len(files) == sum(finding["path"] is not None for finding in told.json["findings"]) > 3
    assert sorted(files) == sorted(map(str, folder.glob("*.json")))
    assert trilho("scenario", *files[:2]).code == 0


def test_a_path_that_no_scenario_can_go_is_told_with_its_reason(trilho: Trilho, tmp_path: Path, write) -> None:
    called = {"source": "api"}
    flow = small(
        events={**small()["events"], "chamado": called},
        transitions=[
            *small()["transitions"],
            {"id": "t90", "from": "NOVO", "on": "chamado", "to": "NOVO", "do": ["oi"]},
        ],
        rules=[{"at_most": 0, "do": "oi"}, {"never": {"do": "oi"}, "after": {"event": "chamado"}}],
    )

    told = trilho("check", write("f.json", flow), "--save-paths", tmp_path / "paths", "--language", "en")

    assert "R1  not saved: no scenario can make chamado happen" in told.out


def test_a_folder_that_cannot_be_written_is_wrong_use(trilho: Trilho, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    told = trilho("check", "venda-literal", "--save-paths", tmp_path / "file" / "in")

    assert told.code == 2
    assert "cannot be written" in told.err


def changed_flow() -> dict:
    tree = small()
    return small(states={**tree["states"], "NOVO": {**tree["states"]["NOVO"], "deadline": "4h"}})


def test_a_difference_is_told_in_the_document_and_in_what_happens(trilho: Trilho, write) -> None:
    a, b = write("a.json", small()), write("b.json", changed_flow())

    told = trilho("diff", a, b)

    assert told.code == 0
    assert told.out.splitlines() == [
        "No documento:",
        "    ~ estado NOVO: mudou (deadline)",
        "No que acontece:",
        "    nota V1  O prazo de silêncio de NOVO era 1 dia, agora é 4 h",
        "        onde: NOVO",
        "Mudanças no documento: 1; no que acontece: 1; sem prova: 0.",
    ]
    assert "The silence deadline of NOVO was 1 day, now it is 4 h" in trilho("diff", a, b, "--language", "en").out


def test_the_json_of_diff_has_both_and_says_whether_they_are_the_same(trilho: Trilho, write) -> None:
    a, b = write("a.json", small()), write("b.json", changed_flow())

    told = trilho("diff", a, b, "--json").json

    assert set(told) == {"a", "b", "same", "changes", "behaviour", "stats"}
    assert (told["a"]["flow"], len(told["b"]["sha256"]), told["same"]) == ("pequeno", 64, False)
    assert [change["message"] for change in told["changes"]] == ["~ estado NOVO: mudou (deadline)"]
    assert [(found["code"], found["severity"]) for found in told["behaviour"]] == [("V1", "info")]
    assert told["stats"] == {"changes": 1, "behaviour": 1, "unknown": 0}
    same = trilho("diff", a, a, "--json").json
    assert (same["same"], same["changes"], same["behaviour"]) == (True, [], [])
    assert trilho("diff", a, a).out == f"{a} e {a} são o mesmo fluxo.\n"


def test_other_words_for_the_same_behaviour_change_the_document_alone(trilho: Trilho, write) -> None:
    def version(when: str) -> dict:
        first, *rest = small()["transitions"]
        return small(transitions=[{**first, "when": when}, *rest])

    told = trilho("diff", write("a.json", version("toques < 3")), write("b.json", version("!(toques >= 3)")))

    assert "~ seta t1: Em NOVO, " in told.out
    assert "    nada muda: em todo caso acontece o mesmo que antes\n" in told.out


def test_a_file_that_cannot_be_compared_is_named(trilho: Trilho, write) -> None:
    a, b = write("a.json", small()), write("b.json", small(initial="NADA"))

    assert trilho("diff", a, b).mistakes == [f"{b}: initial: o estado “NADA” não existe"]
    assert trilho("diff", a, "no.yaml").mistakes == ["no.yaml: o arquivo não pode ser lido"]
    assert trilho("diff", a, "outro").mistakes == ["There is no flow outro."]
    assert trilho("diff", a).mistakes == ["Missing argument 'B'. See `trilho diff --help`."]


def test_the_summary_of_a_check_is_markdown_that_no_name_breaks(trilho: Trilho, write) -> None:

    told = trilho("check", write("f.json", BROKEN), "--format", "github", "--language", "en")

    lines = told.out.splitlines()
    assert told.code == 1
    assert lines[0] == "## Trilho: pequeno"
    assert lines[4].startswith("|  | Code | What was found | Where | Example | Path | Fix |")
    assert any(line.startswith("| ❌ | S1 | Nothing leads to SOLTO") for line in lines)
    assert {line.count("|") for line in lines if line.startswith("|")} == {8}
    assert trilho("check", "venda", "--format", "github").out == "## Trilho: venda\n\nNada encontrado em venda&#46;\n"
    assert trilho("check", "venda", "--format", "github", "--json").code == 2
