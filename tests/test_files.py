"""Files for their owner alone, and agents' names that are refused because they become files'."""

from __future__ import annotations

import json
import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest
from support.forms import generated
from support.hosts import all_solved, play, small

from tacit import files
from tacit.cli.main import run
from tacit.errors import InputError
from tacit.net.config import Outputs
from tacit.net.keys import make_keys
from tacit.net.record import DisclosureRecord
from tacit.pddl.factor_writer import factor
from tacit.pddl.reader import read_agent, read_texts
from tacit.pddl.source import Source
from tacit.pddl.writer import write_pair
from tacit.public.protocol.recording import Recorder

WRITERS = {
    "a record": lambda path: DisclosureRecord(path, "a").close(),
    "a transcript": lambda path: Recorder(path, "a", ("a", "b")).close(),
    "a plan": lambda path: files.write(path, b"plan"),
}


@pytest.fixture(params=[0o022, 0o000, 0o077], ids=oct)
def umask(request):
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("what", WRITERS)
def test_a_new_file_is_its_owners_alone(tmp_path, what, umask):
    WRITERS[what](tmp_path / "new")
    assert mode_of(tmp_path / "new") == 0o600
    WRITERS[what](tmp_path / "new")  # again


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o606, 0o620, 0o777])
@pytest.mark.parametrize("what", WRITERS)
def test_a_file_that_others_can_open_is_refused(tmp_path, what, mode):
    path = tmp_path / "wide"
    path.write_bytes(b"old")
    path.chmod(mode)
    with pytest.raises(InputError, match=r"open to other users\n  hint: .*chmod 600"):
        WRITERS[what](path)
    assert path.read_bytes() == b"old"
    assert mode_of(path) == mode


@pytest.mark.parametrize("what", WRITERS)
def test_links_are_not_followed(tmp_path, what):
    target = tmp_path / "target"
    for content in (None, b"secret"):
        if content is not None:
            target.write_bytes(content)
            target.chmod(0o600)
        link = tmp_path / f"link {content}"
        link.symlink_to(target)
        with pytest.raises(InputError, match="is a symbolic link"):
            WRITERS[what](link)
    assert target.read_bytes() == b"secret"


@pytest.mark.parametrize("what", WRITERS)
def test_what_is_no_file_is_refused(tmp_path, what):
    os.mkfifo(tmp_path / "fifo", 0o600)
    for path in (tmp_path / "fifo", Path(os.devnull), tmp_path, tmp_path / "none" / "x"):
        with pytest.raises(InputError):
            WRITERS[what](path)


def test_what_is_appended_to_is_kept(tmp_path):
    for part in (b"one", b"two"):
        with files.append(tmp_path / "x") as file:
            files.write_all(file, part)
    assert (tmp_path / "x").read_bytes() == b"onetwo"
    files.write(tmp_path / "x", b"new")
    assert (tmp_path / "x").read_bytes() == b"new"


def test_what_is_created_is_new(tmp_path):
    files.create(tmp_path / "x").close()
    with pytest.raises(InputError, match="there already"):
        files.create(tmp_path / "x")
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError):
        files.create(tmp_path / "link")
    assert not (tmp_path / "elsewhere").exists()


def test_keys_are_not_written_through_links(tmp_path):
    (tmp_path / "a.key").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError):
        make_keys(tmp_path, ["a"], 1)
    assert not (tmp_path / "elsewhere").exists()


def test_an_agent_writes_for_its_owner_alone(tmp_path):
    made = small("driverlog", tmp_path, 1)
    before = os.umask(0)
    try:
        assert all_solved(play({name: made.host(name) for name in made.names}))
    finally:
        os.umask(before)
    for config in made.configs.values():
        outputs = config.outputs
        for path in (outputs.plan, outputs.record, outputs.transcript):
            assert mode_of(path) == 0o600
    name = made.names[0]
    outputs = made.configs[name].outputs
    outputs.transcript.chmod(0o644)
    with pytest.raises(InputError, match="open to other users"):
        made.host(name)
    made.change(name, outputs=replace(outputs, transcript=None, record=None))
    assert made.configs[name].outputs == Outputs(outputs.plan)


BAD = {
    "": "empty",
    "..": "dot",
    ".hidden": "dot",
    "a/b": "'/'",
    "../a": "'/'",
    "a\\b": r"'\\'",
    "a\nb": "printed",
    "a\x00b": "printed",
    "a\u202eb": "printed",
    "x" * 101: "100 bytes",
    "ü" * 51: "100 bytes",
    "nul": "device",
    "COM1.x": "device",
    " a": "space",
}
GOOD = ("a", "slow0-0", "truck_1", "a.b", "ü", "consul", "x" * 100)


@pytest.mark.parametrize("name", BAD, ids=repr)
def test_names_that_are_no_file_names(name):
    with pytest.raises(InputError, match=BAD[name]) as caught:
        files.check_agent_name(name)
    assert str(caught.value).isprintable() or "\n  hint" in str(caught.value)
    with pytest.raises(InputError):
        make_keys(Path("nowhere"), [name], 1)
    texts = factor(generated("driverlog", 1))["driver1"]
    with pytest.raises(InputError, match="cannot be an agent's name"):
        read_agent(name, *(Source("x.pddl", text) for text in texts))


def test_names_that_are_file_names():
    for name in GOOD:
        files.check_agent_name(name)


@pytest.mark.parametrize("name", ["../up", "..", "a/b"])
def test_where_names_are_read(tmp_path, capsys, name):
    """On the command line and in a file, own and others'; nothing is written."""
    words = ["agent", "--listen", "127.0.0.1:1", "--max-k", "1", "-o", str(tmp_path)]
    assert run([*words, "--name", name, "--peer", "b=127.0.0.1:2"]) == 31
    assert "cannot be an agent's name" in capsys.readouterr().err
    assert run([*words, "--name", "a", "--peer", f"{name}=127.0.0.1:2"]) == 31
    assert "cannot be an agent's name" in capsys.readouterr().err
    lines = [f'[agents.{json.dumps(n)}]\naddress = "127.0.0.1:1"' for n in ("a", name)]
    (tmp_path / "agents.toml").write_text("\n".join(lines))
    for who in ("a", name):
        assert run(["agent", "--config", str(tmp_path / "agents.toml"), "--name", who]) == 31
        assert "cannot be an agent's name" in capsys.readouterr().err
    assert run(["keys", str(tmp_path / "keys"), "a", name]) == 31
    assert "cannot be an agent's name" in capsys.readouterr().err
    assert sorted(p.name for p in tmp_path.iterdir()) == ["agents.toml"]


def test_an_agent_in_a_problem():
    """Of an unfactored problem: the name is an object's."""
    pair = generated("driverlog", 1).pairs[0]
    texts = write_pair(pair)
    bad = [text.replace("driver1", "../driver1") for text in texts]
    read_texts(*(Source(f"{n}.pddl", text) for n, text in enumerate(texts)))
    with pytest.raises(InputError, match=r"'\.\./driver1' cannot be an agent's name"):
        read_texts(*(Source(f"{n}.pddl", text) for n, text in enumerate(bad)))
