"""Runs between hosts with a lasting ledger: recall, what is on the disk when, and its command."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from support.audits import audited
from support.daily import known
from support.hosts import all_solved, play, small
from support.inside import talk_of

from tacit.cli.main import run as tacit_run
from tacit.net.bounds import Agreement
from tacit.net.faults import Fault
from tacit.net.lasting_files import Place, read_peer
from tacit.public.ledger import Kind
from tacit.public.protocol.link import Terms
from tacit.public.protocol.messages import (
    EdgeDisclosed,
    Introduce,
    NextEdge,
    Recall,
    Recalled,
    States,
    Threatened,
    decode,
)
from tacit.public.protocol.recording import read_recording
from tacit.public.protocol.states import decode_batch


def kept(folder: Path, solver: str, domain: str = "logistics"):
    """Agents with lasting ledgers in the same folder."""
    made = small(domain, folder, terms=Terms(solver, "goal"))
    for agent in made.names:
        made.change(agent, ledger=folder / "ledger")
    return made


def sent_by(made, agent: str, kind: type) -> list:
    entries = read_recording(made.configs[agent].outputs.transcript).entries
    messages = [decode(entry.payload) for entry in entries if entry.is_sent]
    return [message for message in messages if isinstance(message, kind)]


@pytest.mark.parametrize("solver", ["projection", "mafs"])
def test_what_is_known_is_recalled_and_enough(tmp_path, solver):
    """Nothing new is disclosed the second time, the numbers are other ones, and audits of both
    runs are clean, with the owner's files and its one record.
    """
    made = kept(tmp_path, solver)
    numbers, audits = [], []
    for number in (1, 2):
        found = play({agent: made.host(agent) for agent in made.names})
        assert all_solved(found), found
        numbers.append([sent_by(made, a, Introduce)[:1] for a in made.names])
        for agent in made.names:
            recalled = sent_by(made, agent, Recalled)
            edges = known(tmp_path / "ledger", agent, of_states=False)
            edges |= known(tmp_path / "ledger", agent, of_states=True)
            assert found[agent].recalled == (len(edges) if number == 2 else 0)
            assert found[agent].ledger.counts(agent).edges == (0 if number == 2 else len(edges))
            assert bool(recalled) == (number == 2 and bool(edges))
        audits = [
            audited(made, [holder], agent).agents[agent]
            for holder in made.names
            for agent in made.names
            if holder != agent
        ]
        assert not [finding for about in audits for finding in about.findings]
        assert {about.checked_with for about in audits} == {"its files and record"}
    assert numbers[0] != numbers[1]


def test_the_first_record_still_belongs_to_the_first_transcript(tmp_path):
    made = kept(tmp_path, "projection")
    play({agent: made.host(agent) for agent in made.names})
    holder, agent = made.names[:2]
    transcript = made.configs[holder].outputs.transcript
    shutil.copy(transcript, tmp_path / "first")
    play({agent: made.host(agent) for agent in made.names})
    shutil.copy(tmp_path / "first", transcript)
    about = audited(made, [holder], agent).agents[agent]
    assert not about.findings
    assert about.checked_with == "its files and record"


def test_whatever_is_sent_is_on_the_disk_before(tmp_path):
    """So an agent may be killed at any time, and its ledger has all that anybody was sent."""
    made = kept(tmp_path, "projection", "blocksworld")
    checked = []
    hosts = {agent: made.host(agent) for agent in made.names}
    for agent, host in hosts.items():
        talk = talk_of(host)
        send = talk.send_frame

        def watched(peer, message, frame, agent=agent, send=send):
            if isinstance(message, EdgeDisclosed | Threatened):
                sent = [*sent_before.setdefault((agent, peer), []), message]
                sent_before[agent, peer] = sent
                edges = sum(isinstance(m, EdgeDisclosed) for m in sent)
                threats = sum(len(m.threats) for m in sent if isinstance(m, Threatened))
                (task,) = read_peer(Place(tmp_path / "ledger", agent), peer)
                kinds = [line.kind for line in task.disclosed]
                assert kinds.count(Kind.EDGE) >= edges
                assert kinds.count(Kind.THREAT) >= threats
                checked.append(peer)
            send(peer, message, frame)

        talk.send_frame = watched
    sent_before: dict = {}
    assert all_solved(play(hosts))
    assert checked


def test_states_are_numbered_anew_in_each_run(tmp_path):
    """Each search begins to count private states from 0 again, and the ledger has no index."""
    made = kept(tmp_path, "mafs")
    for _ in range(2):
        assert all_solved(play({agent: made.host(agent) for agent in made.names}))
        own = {
            state.indices[place]
            for place, agent in enumerate(made.names)
            for message in sent_by(made, agent, States)
            for state in decode_batch(message.batch).states
        }
        assert min(own) <= 1, "0 is the initial state, which nobody need send"
    lines = "".join(path.read_text() for path in (tmp_path / "ledger").rglob("*.jsonl"))
    kinds = {json.loads(line).get("kind") for line in lines.splitlines()} - {None}
    assert {"edge"} <= kinds <= {kind.value for kind in Kind}


def test_a_leader_may_let_agents_recall_once_and_before_any_turn():
    agreement = Agreement(Terms(), "leader")
    agreement.check(Recall("leader"))
    with pytest.raises(Fault):
        agreement.check(Recall("leader"))
    agreement = Agreement(Terms(), "leader")
    agreement.check(NextEdge("leader"))
    agreement.check(NextEdge("leader"))
    with pytest.raises(Fault):
        agreement.check(Recall("leader"))


def test_the_command_shows_what_each_peer_knows(tmp_path, capsys):
    made = kept(tmp_path, "projection")
    assert all_solved(play({agent: made.host(agent) for agent in made.names}))
    agent, *peers = made.names
    folder = str(tmp_path / "ledger")
    assert tacit_run(["ledger", folder, "--name", agent.upper(), "--edges"]) in (None, 0)
    shown = capsys.readouterr().out
    edges = known(tmp_path / "ledger", agent)
    assert edges
    for peer in peers:
        assert f"{peer}: 1 run, the last at" in shown
    for actions, fact in edges:
        assert f"{actions[0]} achieves {fact}" in shown or f"like it achieves {fact}" in shown
    assert tacit_run(["ledger", folder, "--name", agent, "--peer", peers[0], "--json"]) in (None, 0)
    found = json.loads(capsys.readouterr().out)
    assert list(found["peers"]) == peers[:1]
    (task,) = found["peers"][peers[0]]["tasks"].values()
    assert task["edges"] == len(edges)
    assert "items" not in task
    assert found["peers"][peers[0]]["last_run_there"] == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "there are ledgers of several owners"),
        (["--name", "nobody"], "there is no ledger of 'nobody'"),
        (["--name", "a", "--peer", "x"], "for a peer 'x'"),
    ],
)
def test_the_command_says_what_is_missing(tmp_path, capsys, arguments, said):
    for owner in ("a", "b"):
        (tmp_path / owner / "c").mkdir(parents=True)
    assert tacit_run(["ledger", str(tmp_path), *arguments]) == 31
    assert said in capsys.readouterr().err
    assert tacit_run(["ledger", str(tmp_path / "nowhere")]) == 31
