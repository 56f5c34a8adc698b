"""From `tacit init` to partners that plan, each in its own folder, as they are told to."""

from __future__ import annotations

import re
import stat
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from tacit.central.instance import describe
from tacit.central.validate.judge import validate
from tacit.central.validate.plan import read_agent_plans
from tacit.cli.main import run
from tacit.net.rehearsal import HOST, free_ports

AGENTS = ("finish-ltd", "ironworks", "swift")
PATIENCE = 120


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kit") / "workshop"
    assert run(["init", str(folder)]) == 0
    config = folder / "agents.toml"
    text = config.read_text()
    for number, port in enumerate(free_ports(3), 7411):
        text = text.replace(f'"127.0.0.1:{number}"', f'"{HOST}:{port}"')
    config.write_text(text)
    return folder


@pytest.fixture(scope="module")
def partners(workshop: Path) -> Path:
    folder = workshop.parent / "partners"
    assert run(["provision", str(workshop), "-o", str(folder)]) == 0
    return folder


def test_the_start_is_solved(workshop: Path) -> None:
    assert run(["solve", str(workshop)]) == 0


def commands(partners: Path, what: str) -> list[subprocess.Popen[str]]:
    """Every partner types the command of its page that has this in it."""
    started = []
    for agent in AGENTS:
        page = (partners / agent / "README.md").read_text()
        command = re.search(rf"^    tacit (agent .*{what})", page, re.MULTILINE)
        assert command, page
        words = [sys.executable, "-m", "tacit", *command[1].split()]
        place = partners / agent
        started.append(subprocess.Popen(words, cwd=place, stdout=subprocess.PIPE, text=True))
    return started


def test_partners_check_that_everything_is_in_place(partners: Path) -> None:
    before = written(partners)
    started = commands(partners, "--check")
    said = [process.communicate(timeout=PATIENCE)[0] for process in started]
    assert [process.returncode for process in started] == [0, 0, 0]
    assert all("ready" in text for text in said)
    assert written(partners) == before


def written(partners: Path) -> set[Path]:
    """All files, but what is remembered of elections."""
    return {path for path in partners.rglob("*") if ".elections" not in str(path)}


def test_a_check_names_who_is_missing(partners: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = partners / "swift" / "agents.toml"
    found = run(["agent", "--config", str(config), "--name", "swift", "--check", "--wait", "0.3"])
    assert found == 33
    out = capsys.readouterr().out
    assert "'ironworks' was not met" in out
    assert "'finish-ltd' was not met" in out


def test_partners_plan_as_their_page_says(workshop: Path, partners: Path) -> None:
    started = commands(partners, "--transcript run")
    assert [process.wait(PATIENCE) for process in started] == [0, 0, 0]
    plan = read_agent_plans([partners / agent / f"plan-{agent}.txt" for agent in AGENTS])
    assert validate(describe((str(workshop),)), plan).valid
    for agent in AGENTS:
        place = partners / agent
        assert run(["audit", str(place / "run"), "--ca", str(place / "ca.pem")]) == 0
        assert run(["ledger", str(place / "ledger"), "--name", agent]) == 0


def test_nothing_of_others_is_handed_over(partners: Path) -> None:
    secrets = {"finish-ltd": b"lathe1", "ironworks": b"furnace1", "swift": b"truck1"}
    for agent in AGENTS:
        with tarfile.open(partners / f"{agent}.tar.gz") as archive:
            members = [member for member in archive.getmembers() if member.isfile()]
            contents = [archive.extractfile(member) for member in members]
            text = b"".join(file.read() for file in contents if file is not None)
        assert {member.name.split("/")[0] for member in members} == {agent}
        known = {owner for owner, secret in secrets.items() if secret in text}
        assert known == {agent}


def test_files_are_for_their_owner_alone(partners: Path) -> None:
    for path in [*partners.glob("*/*"), *partners.glob("*.tar.gz")]:
        if path.is_file():
            assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path


def test_a_folder_that_is_there_is_not_overwritten(
    workshop: Path, partners: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["provision", str(workshop), "-o", str(partners)]) != 0
    assert "there already" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (("[agents.swift]", "[agents.swfit]"), "swfit"),
        (('[agents.swift]\naddress = "', '[agents.swift]\naddress = "nowhere'), "address"),
        (("[agents.finish-ltd]", "[elsewhere]"), "elsewhere"),
    ],
)
def test_mistakes_are_named(
    workshop: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    change: tuple[str, str],
    complaint: str,
) -> None:
    text = (workshop / "agents.toml").read_text()
    assert change[0] in text
    config = tmp_path / "agents.toml"
    broken = text.replace(*change)
    config.write_text(re.sub(r"nowhere[\d.:]+", "nowhere", broken))
    output = tmp_path / "partners"
    assert run(["provision", str(workshop), "--config", str(config), "-o", str(output)]) == 31
    assert complaint in capsys.readouterr().err
    assert not output.exists()
