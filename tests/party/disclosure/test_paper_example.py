"""The paper's example as a problem: from its files come the graph and the scores of Figure 2."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from itertools import permutations
from pathlib import Path

import pytest

import tacit
from tacit.central.analysis.scores import Scores, edge_scores
from tacit.central.named_graph import NamedGraph, named_graph
from tacit.central.session import Session
from tacit.central.solve import dependencies
from tacit.cli.main import run
from tacit.domains import DOMAINS, EXAMPLES
from tacit.errors import ExitCode, InputError
from tacit.experiment.run import suite
from tacit.profile import PROFILES, profile
from tacit.public.run_options import RunOptions

ACHIEVES = {"n1": "n7", "n2": "n7", "n3": "n8", "n4": "n8", "n5": "n9", "n6": "n9"}
EXAMINES = {
    "n10": ("n7", "n14"),
    "n11": ("n7 n8", "n14 n15"),
    "n12": ("n7 n8 n9", "n14 n15 n16"),
    "n13": ("n9", "n16"),
}
"""The figure: actions and the tokens they achieve; actions and what they need and lead to."""

TOKENS = ("(holding rover1 camera1)", "(holding rover1 detector1)", "(empty rover1)")
"""What n7, n8 and n9 stand for."""
SCORES = {
    "m1": ((3, 2, 2), (2, 2, 2)),
    "m2": ((3, 3, 3), (2, 3, 3)),
    "m3": ((1, 0, 1), (1 / 2, 1, 1)),
    "m4": ((1, 0, 1), (1 / 2, 3 / 2, 1)),
}
"""For n7, n8 and n9, as the paper has them: at first, and after the camera can come from base 1."""

Written = Callable[..., Path]


@pytest.fixture
def written(tmp_path: Path) -> Written:
    """The files of the example, in either form."""

    def write(*options: str) -> Path:
        folder = tmp_path / "example"
        assert run(["generate", "paper/example", "-o", str(folder), "--force", *options]) == 0
        return folder

    return write


def graph_of(problem: str | Path, profile_name: str) -> NamedGraph:
    session = Session(tacit.load(problem), profile(profile_name), RunOptions(ranking="m1"))
    return named_graph(session, "rover1", "m1")


Shape = tuple[Counter[frozenset[int]], Counter[tuple[frozenset[int], frozenset[int]]]]
"""What achieves which tokens; what needs which tokens and leads to which facts."""


def shape(graph: NamedGraph, tokens: tuple[int, ...], facts: tuple[int, ...]) -> Shape:
    """The graph with its tokens and facts called by other numbers, and no names of actions."""
    achievers = [
        frozenset(tokens[edge.token] for edge in graph.edges if edge.achiever == achiever)
        for achiever in range(len(graph.achievers))
    ]
    users = [
        (
            frozenset(tokens[token] for token, action in graph.needs if action == user),
            frozenset(facts[fact] for action, fact in graph.achieves if action == user),
        )
        for user in range(len(graph.actions))
    ]
    return Counter(achievers), Counter(users)


def figure() -> Shape:
    def numbers(names: str, first: int) -> frozenset[int]:
        return frozenset(int(name[1:]) - first for name in names.split())

    achievers = Counter(numbers(token, 7) for token in ACHIEVES.values())
    users = Counter((numbers(need, 7), numbers(leads, 14)) for need, leads in EXAMINES.values())
    return achievers, users


def is_figure(graph: NamedGraph) -> bool:
    """Are they isomorphic? Actions of one shape are interchangeable, so it is enough to try all
    names for tokens and facts."""
    return (len(graph.tokens), len(graph.facts)) == (3, 3) and any(
        shape(graph, tokens, facts) == figure()
        for tokens in permutations(range(3))
        for facts in permutations(range(3))
    )


@pytest.mark.parametrize("profile_name", sorted(PROFILES))
@pytest.mark.parametrize("form", [(), ("--factored",)], ids=["unfactored", "factored"])
def test_rover1_has_the_graph_of_the_papers_figure(
    written: Written, form: tuple[str, ...], profile_name: str
) -> None:
    graph = graph_of(written(*form), profile_name)
    assert is_figure(graph)
    assert graph.initial is None
    assert all(edge.positive for edge in graph.edges)
    assert set(graph.tokens) == set(TOKENS)


def test_another_graph_is_not_the_figure(written: Written) -> None:
    folder = written()
    text = (folder / "problem.pddl").read_text()
    (folder / "problem.pddl").write_text(text.replace("(crane", "(crane rover1) (crane"))
    assert not is_figure(graph_of(folder, "paper"))
    assert not is_figure(graph_of("rovers/small", "paper"))


@pytest.mark.parametrize("profile_name", sorted(PROFILES))
@pytest.mark.parametrize("ranking", SCORES)
def test_the_scores_are_those_of_the_paper(
    written: Written, ranking: str, profile_name: str
) -> None:
    own = dependencies(tacit.load(written()), profile(profile_name))["rover1"]

    def by_token(scores: Scores) -> list[float]:
        found = {own.token_name(edge.token): score for edge, score in scores.left.items()}
        return [found[name] for name in TOKENS]

    for k, expected in enumerate(SCORES[ranking]):
        scores = edge_scores(own.graph, [ranking], k)[ranking]
        assert by_token(scores) == pytest.approx(expected)
        assert len(scores.disclosed) + len(scores.left) == len(ACHIEVES)
    (first,) = scores.disclosed
    assert own.describe(first).startswith("(take rover1 camera1 mast base1) ")


@pytest.mark.parametrize("solver", ["projection", "mafs"])
@pytest.mark.parametrize("profile_name", sorted(PROFILES))
@pytest.mark.parametrize("ranking", [*SCORES, "goal"])
def test_both_solvers_solve_it(solver: str, profile_name: str, ranking: str) -> None:
    instance = tacit.load("paper/example")
    result = tacit.solve(instance, solver, ranking, smallest=True, profile=profile_name)
    assert result.solved
    assert result.k == (4 if ranking == "m1" else 3)
    assert not tacit.solve(instance, solver, ranking, k=2, profile=profile_name).solved
    assert tacit.solve(instance, solver, ranking, profile=profile_name).solved


# ------------------------------------------------------------------ examples and scores in general


@pytest.mark.parametrize("name", list(EXAMPLES))
def test_an_example_is_a_problem_with_a_plan(name: str) -> None:
    example = EXAMPLES.get(name)
    assert example.about
    assert name.partition("/")[0] not in DOMAINS
    assert tacit.validate(tacit.load(name), example.make().plan).valid
    (problem,) = suite.find([name])
    assert problem.name == name
    assert problem.load().agents == tacit.load(name).agents


@pytest.mark.parametrize("options", [["--size", "large"], ["--seed", "1"], ["-p", "rovers=3"]])
def test_an_example_cannot_be_varied(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    arguments = ["generate", "paper/example", "-o", str(tmp_path / "new"), *options]
    assert run(arguments) == ExitCode.BAD_INPUT
    assert "one fixed problem" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_an_example_is_offered_when_misspelled() -> None:
    with pytest.raises(InputError, match="paper/exampl") as caught:
        tacit.load("paper/exampl")
    assert "paper/example" in str(caught.value)


def scored(capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = run(["inspect", "paper/example", *options])
    return code, *capsys.readouterr()


def test_the_command_shows_scores(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("--agent", "rover1", "--scores", "m1,m4", "--k", "1")
    code, out, _ = scored(capsys, *asked)
    assert code == 0
    rows = [line.split(maxsplit=2) for line in out.partition("disclosed\n")[2].splitlines()]
    assert rows[0] == ["m1", "m4", "edge"]
    assert len(rows) == 7
    assert rows[1][:2] == ["–", "–"]
    assert {("2", "0.5"), ("2", "1.5"), ("2", "1")} == {(m1, m4) for m1, m4, _ in rows[2:]}
    result = json.loads(scored(capsys, *asked, "--json")[1])["scores"]
    assert (result["agent"], result["k"]) == ("rover1", 1)
    assert result["edges"] == [edge for _, _, edge in rows[1:]]
    assert result["rankings"]["m4"][0] is None
    assert Counter(result["rankings"]["m4"][1:]) == {0.5: 1, 1.5: 2, 1.0: 2}


def test_threats_have_scores_too(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("--agent", "rover2", "--scores", "m3", "--profile", "paper", "--json")
    result = json.loads(scored(capsys, *asked)[1])["scores"]
    threats = [place for place, edge in enumerate(result["edges"]) if " deletes " in edge]
    assert len(threats) == 8
    assert {result["rankings"]["m3"][place] for place in threats} == {0}
    asked = (*asked, "--percent", "100")
    assert set(json.loads(scored(capsys, *asked)[1])["scores"]["rankings"]["m3"]) == {None}


WRONG = [
    (["--scores", "goal", "--agent", "rover1"], "these have some: m1, m2, m3, m4"),
    (["--scores", "m1,m9", "--agent", "rover1"], "no ranking called 'm9'"),
    (["--scores", "", "--agent", "rover1"], "no ranking called ''"),
    (["--scores", "m1"], "agents: rover1, rover2"),
    (["--scores", "m1", "--agent", "rover3"], "agents: rover1, rover2"),
    (["--scores", "m1", "--agent", "rover1", "--k", "7"], "from 0 to 6"),
]


@pytest.mark.parametrize(("options", "said"), WRONG)
def test_wrong_questions_about_scores(
    capsys: pytest.CaptureFixture[str], options: list[str], said: str
) -> None:
    code, _, err = scored(capsys, *options)
    assert code == ExitCode.BAD_INPUT
    assert said in err


@pytest.mark.parametrize("problem", ["paper/example", *(f"{domain}/small" for domain in DOMAINS)])
def test_the_best_score_comes_next(problem: str) -> None:
    for own in dependencies(tacit.load(problem), profile("paper")).values():
        total = len(own.graph.edges)
        for k in sorted({0, 1, total // 2} & set(range(total))):
            for name, scores in edge_scores(own.graph, SCORES, k).items():
                following = edge_scores(own.graph, [name], k + 1)[name].disclosed[k]
                assert scores.left[following] == pytest.approx(max(scores.left.values()))
