"""Folders and files that cannot be read as a problem."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.delivery import DOMAIN, OWN_DOMAIN, OWN_PROBLEM

from tacit.errors import InputError, UnsupportedError
from tacit.pddl.reader import read_folder
from tacit.pddl.source import MAX_BYTES, Source


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name.replace('_', '-')}.pddl").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "there is no MA-PDDL problem here"),
        ({"domain": DOMAIN}, "there is no MA-PDDL problem here"),
        ({"domain_t1": OWN_DOMAIN}, "there is no 'problem-t1.pddl' here"),
        ({"problem_t1": OWN_PROBLEM}, "there is no 'domain-t1.pddl' here"),
    ],
)
def test_incomplete_folders(files: dict[str, str], message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        read_folder(write(tmp_path, **files))


def test_mistakes_of_all_agents_are_reported_together(tmp_path: Path) -> None:
    bad = OWN_DOMAIN.replace("(not (tired))", "(when (tired) (tired))")
    files = {"domain_t1": bad, "problem_t1": OWN_PROBLEM}
    with pytest.raises(UnsupportedError) as caught:
        read_folder(write(tmp_path, **files, domain_t2=bad, problem_t2=OWN_PROBLEM))
    names = [Path(str(d.file)).name for d in caught.value.diagnostics]
    assert names == ["domain-t1.pddl", "domain-t2.pddl"]


def test_letter_case_does_not_tell_agents_apart(tmp_path: Path) -> None:
    one = {"domain_t1": OWN_DOMAIN, "problem_t1": OWN_PROBLEM}
    two = {"domain_T1": OWN_DOMAIN, "problem_T1": OWN_PROBLEM}
    if len(list(write(tmp_path, **one, **two).iterdir())) < 4:
        pytest.skip("this file system does not tell letter case apart either")
    with pytest.raises(InputError, match="two agents have the same name"):
        read_folder(tmp_path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff\xfe(\0d\0", "this is not a text file"),
        (b"(define (domain d)\n \x80)", "byte 20 is not UTF-8"),
    ],
)
def test_files_that_are_no_text(content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "x.pddl").write_bytes(content)
    with pytest.raises(InputError, match=message):
        Source.read(tmp_path / "x.pddl")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.pddl: No such file"):
        Source.read(tmp_path / "nowhere.pddl")
    with pytest.raises(InputError, match="Is a directory"):
        Source.read(tmp_path)
    with pytest.raises(InputError, match="No such file"):
        read_folder(tmp_path / "nowhere")
    with (tmp_path / "huge.pddl").open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(InputError, match="larger than 64 MiB"):
        Source.read(tmp_path / "huge.pddl")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no /dev/zero here")
def test_what_never_ends_is_too_large():
    with pytest.raises(InputError, match="larger than 64 MiB"):
        Source.read(Path("/dev/zero"))
