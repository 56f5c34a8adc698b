"""The documentation is true: its commands and code run, and print what it says that they print.

Every page is played in a fresh folder and a fresh interpreter, from top to bottom, but for what is
typed on several hosts (tests/net/test_namespaces.py does that) and blocks that say why they are not
run; `support.pages` knows how pages are written.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
import traceback
from dataclasses import asdict
from pathlib import Path

import click
import pytest
from support.pages import FENCE, SHOWN, Step, blocks_of, commands, complaints, steps_of

import tacit
from tacit.cli.main import cli, run
from tacit.domains import DOMAINS
from tacit.errors import ExitCode

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
PAGES += sorted(DOCS.rglob("*.md"))

LINK = re.compile(r"\]\(\s*([^)\s]+)\s*\)")
HEADING = re.compile(r"^#+ +(.+)$", re.M)
INLINE = re.compile(r"(?<!`)`(tacit [^`]+)`(?!`)")
SAME_AS = {"make demo": "tacit demo"}
ELSEWHERE = {
    "python -m pip install .": "tests/docs/test_container.py installs into an empty folder"
}


def command_names() -> list[str]:
    return cli.list_commands(click.Context(cli))


def steps_here(page: Path) -> list[Step]:
    """What one reader can do on one host."""
    return [step for step in steps_of(page) if not step.host and step.text not in ELSEWHERE]


def play(steps: list[Step]) -> list[tuple[int, str]]:
    """Carry out the steps in the current folder; the exit code and output of each."""
    if any("tacit report" in step.text for step in steps):
        from matplotlib.figure import Figure

        Figure.savefig = lambda *_, **__: None  # slow; test_report looks at figures
    done: list[tuple[int, str]] = []
    names: dict[str, object] = {"__name__": "page"}
    for step in steps:
        out = io.StringIO()
        code = 0
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            try:
                if step.kind == "file":
                    path = Path(step.shown[0])
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_text(step.text, encoding="utf-8")
                elif step.kind == "python":
                    exec(compile(step.text, f"line {step.line}", "exec"), names)
                else:
                    code = typed(SAME_AS.get(step.text, step.text))
            except Exception:
                traceback.print_exc()
                code = -1
        done.append((code, out.getvalue()))
    return done


def typed(command: str) -> int:
    """Run a command; Tacit's own in this process, which is quicker."""
    if re.match(r"tacit [^|&;<>]*$", command):
        return run(shlex.split(command, comments=True)[1:])
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    print(done.stdout, done.stderr)
    return done.returncode


def played(steps: list[Step], folder: Path) -> list[tuple[int, str]]:
    """The same in an interpreter of its own, so that no page leaves anything behind."""
    done = subprocess.run(
        [sys.executable, __file__],
        input=json.dumps([asdict(step) for step in steps]),
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=folder,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "COLUMNS": "100", "NO_COLOR": "1"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [(code, output) for code, output in json.loads(done.stdout)]


@pytest.mark.parametrize("page", list(filter(steps_here, PAGES)), ids=lambda page: page.name)
def test_a_page_is_true(page: Path, tmp_path: Path) -> None:
    steps = steps_here(page)
    wrong = [
        f"{page.name}:{step.line}: {complaint}"
        for step, (code, output) in zip(steps, played(steps, tmp_path), strict=True)
        for complaint in complaints(step, code, output)
    ]
    assert not wrong, "\n".join(wrong)


def test_there_is_something_to_play() -> None:
    kinds = {page.name: {step.kind for step in steps_of(page)} for page in PAGES}
    assert kinds["README.md"] == {"command", "python"}
    assert kinds["semantics.md"] == {"file", "command", "python"}
    assert {"cli.md", "start.md", "domains.md"} <= {n for n, k in kinds.items() if "command" in k}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_block_is_run_or_says_why_not(page: Path) -> None:
    for block in blocks_of(page):
        is_run = block.language == "python" or (
            block.language == "console" and all(step.text for step in commands(block))
        )
        is_file = block.title and not block.host
        assert block.language in SHOWN or block.not_run or is_run or is_file, (
            f"{page.name}:{block.line}: run it, or say <!-- not run: why --> before it"
        )


def mentioned(page: Path) -> list[str]:
    """Commands of Tacit in running text, and in blocks that are not run."""
    text = page.read_text(encoding="utf-8")
    found = INLINE.findall(FENCE.sub("", text))
    for block in blocks_of(page):
        if block.not_run:
            joined = block.body.replace("\\\n", " ")
            found += re.findall(r"^(?:\$ )?(tacit [a-z].*)$", joined, re.M)
    return found


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda page: page.name)
def test_commands_that_are_mentioned_exist(page: Path) -> None:
    """By name and with these options. `tacit stream 1` is a word of the protocol, and decisions may
    speak of what was rejected.
    """
    if page.name == "decisions.md":
        return
    for command in mentioned(page):
        name = command.split()[1]
        if not re.fullmatch(r"[a-z]+", name) or re.fullmatch(r"\w+ \w+ \d", command):
            continue
        assert name in command_names(), f"{page.name}: {command}"
        params = importlib.import_module(f"tacit.cli.{name}").command.params
        known = {o for p in params for o in (*p.opts, *p.secondary_opts)} | {"--help"}
        unknown = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", command)) - known
        assert not unknown, f"{page.name}: {command}"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_complete_as_the_page_says(shell: str) -> None:
    assert f"_TACIT_COMPLETE={shell}_source tacit" in (DOCS / "cli.md").read_text(encoding="utf-8")
    done = subprocess.run(
        [Path(sys.executable).with_name("tacit")],
        env={**os.environ, "_TACIT_COMPLETE": f"{shell}_source"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert f"_TACIT_COMPLETE={shell}_complete" in done.stdout


def test_a_false_page_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "```console\n$ tacit generate --list\nnothing of this\n$ tacit --version\n"
        "tacit, version …\n$ tacit validate x y\n```\n"
        "```python\nprint(1)\n#> 2\n```\n```python\nraise ValueError\n```\n"
    )
    steps = steps_of(page)
    results = zip(steps, played(steps, tmp_path), strict=True)
    assert [bool(complaints(step, *result)) for step, result in results] == [1, 0, 1, 1, 1]


def test_make_demo_is_what_the_readme_shows() -> None:
    for target, command in SAME_AS.items():
        recipe = (ROOT / "Makefile").read_text().partition(f"\n{target.split()[1]}:")[2]
        assert f"$(BIN)/{command}" in recipe.partition("\n\n")[0].splitlines()[-1]


def prose(page: Path) -> str:
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as both GitHub and Zensical make them of plain words."""
    words = (re.sub(r"[^\w\s-]", "", title.lower()) for title in HEADING.findall(prose(page)))
    return {re.sub(r"\s+", "-", word.strip()) for word in words}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(prose(page)):
        if target.startswith("https://"):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.is_file(), f"{page.name} links to {target}"
        assert not anchor or anchor in anchors(file), f"{page.name} links to {target}"
        if page.is_relative_to(DOCS):
            assert file.is_relative_to(DOCS), f"{target} is not part of the site"


def test_every_page_is_on_the_site() -> None:
    listed = re.findall(r'= "(\S+\.md)"', (ROOT / "zensical.toml").read_text())
    assert sorted(listed) == sorted(str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md"))


def test_the_site_loads_nothing_from_elsewhere() -> None:
    settings = (ROOT / "zensical.toml").read_text()
    assert tomllib.loads(settings)["project"]["theme"]["font"] is False
    assert not re.search(r"https?://", settings)
    assert not [page.name for page in PAGES if "```mermaid" in page.read_text(encoding="utf-8")]


@pytest.mark.parametrize("name", command_names())
def test_every_command_and_option_is_explained(name: str) -> None:
    text = (DOCS / "cli.md").read_text(encoding="utf-8")
    section = text.partition(f"\n## tacit {name}\n")[2].partition("\n## ")[0]
    assert section, f"docs/cli.md has no section on 'tacit {name}'"
    shared = text.partition("\n## ")[0]
    command = importlib.import_module(f"tacit.cli.{name}").command
    for option in command.params:
        if isinstance(option, click.Option):
            names = "|".join(re.escape(word) for word in (*option.opts, *option.secondary_opts))
            assert re.search(rf"(?<![\w-])({names})(?![\w-])", shared + section), option.opts


def test_every_exit_code_is_explained() -> None:
    text = (DOCS / "cli.md").read_text(encoding="utf-8").partition("\n## Exit codes\n")[2]
    rows = re.findall(r"^\| (\d+) \| (?:`(\w+)`)? ?\| \S.* \|$", text, re.M)
    expected = [(str(int(code)), code.name) for code in ExitCode]
    assert sorted(rows) == sorted([*expected, (str(click.UsageError.exit_code), "")])


def test_every_public_name_is_explained() -> None:
    text = (DOCS / "api.md").read_text(encoding="utf-8")
    missing = [n for n in tacit.__all__ if not re.search(rf"\btacit\.{re.escape(n)}\b", text)]
    assert not missing


def test_every_domain_is_described() -> None:
    text = (DOCS / "domains.md").read_text(encoding="utf-8")
    described = re.findall(r"^\| `(\w+)` \|", text, re.M)
    assert sorted(described) == list(DOMAINS)
    assert re.findall(r"^\*\*(\w+)\.\*\*", text, re.M) == sorted(described)


def top_level(text: str) -> dict[str, str]:
    """The keys of a YAML text that stand at the left edge, with what stands behind them."""
    found = re.findall(r"^([a-z-]+):[ ]*(.*(?:\n[ ].*)*)$", text, re.M)
    return {key: value.strip().strip('"') for key, value in found}


def test_the_citation_is_complete() -> None:
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert "\t" not in text
    loose = [row for row in text.splitlines() if not re.match(r" *(- )?([a-z-]+:( |$)|\S+$)", row)]
    assert not loose
    cited = top_level(text)
    assert {"cff-version", "message", "title", "authors", "license"} <= set(cited)
    assert cited["cff-version"] == "1.2.0"
    assert cited["version"] == tacit.__version__
    paper = cited["preferred-citation"]
    assert re.findall(r'family-names: "(.+)"', paper) == ["Lev Lehman", "Shani", "Stern"]
    title = re.search(r'^ +title: "(.+)"$', paper, re.M)
    assert title is not None
    readme = " ".join(re.sub(r"^> ?", "", prose(ROOT / "README.md"), flags=re.M).split())
    assert title[1] in readme


def test_the_changelog_knows_this_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## \[([^\]]+)\] - (unreleased|\d{4}-\d\d-\d\d)$", text, re.M)
    assert versions
    assert versions[0][0] == tacit.__version__
    entry = text.partition(f"## [{tacit.__version__}]")[2].partition("\n## ")[0]
    assert re.search(r"^- \S", entry, re.M)


if __name__ == "__main__":
    given = [Step(**step) for step in json.load(sys.stdin)]
    print(json.dumps(play(given)))


def test_generated_parts_are_current() -> None:
    """Tables of options, settings and the policy, and the schemas, come from the code."""
    done = subprocess.run(
        [sys.executable, DOCS / "generate.py", "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "", "run `python docs/generate.py`"
