"""What one company gets to read: its plan, its calendar, its record and its page."""

from __future__ import annotations

import csv
import random
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.forms import factored, generated
from support.hosts import play, together, troupe
from support.renaming import private_words, rename, renaming

from tacit.audit.recorded import read_record
from tacit.central.instance import Instance
from tacit.cli.agent import _transcript_for
from tacit.cli.agent_page import agent_page, learned
from tacit.net.record import DisclosureRecord
from tacit.net.record_summary import UNFINISHED, room, summary
from tacit.pddl.factor_writer import factor
from tacit.public.outcome import Outcome
from tacit.public.protocol.link import Terms


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run of carriers whose private names occur nowhere else: names, files, ends, problem."""
    folder = tmp_path_factory.mktemp("own")
    rng, texts, secrets = random.Random(5), {}, {}
    for agent, (domain, problem) in factor(generated("freight")).items():
        names = renaming(private_words(factored({agent: (domain, problem)})), rng)
        secrets[agent] = set(names.values())
        texts[agent] = (rename(domain, names), rename(problem, names))
    made = troupe(texts, folder, Terms())
    for agent in made.names:
        outputs = replace(made.configs[agent].outputs, calendar=calendar(made, agent))
        made.change(agent, outputs=outputs)
    found = play({agent: made.host(agent) for agent in made.names})
    together(found, made, factored(texts))
    return made, found, secrets, Instance(factored(texts), {})


def calendar(made, agent):
    return made.folder / f"calendar-{agent}.csv"


def pages(made, found):
    return {
        agent: agent_page(
            agent, "p", end, "", learned(agent, end, made.configs[agent].outputs.transcript)
        ).html()
        for agent, end in found.items()
    }


def steps(made, agent) -> dict[int, str]:
    """The own actions in a plan file, by number."""
    lines = made.configs[agent].outputs.plan.read_text().splitlines()
    split = (line.partition(": ") for line in lines if not line.startswith(";"))
    return {int(number): action for number, _, action in split}


def test_nothing_private_of_others_is_in_any_file_of_an_agent(run):
    made, found, secrets, _ = run
    drawn = pages(made, found)
    for agent in made.names:
        outputs = made.configs[agent].outputs
        paths = (outputs.plan, outputs.calendar, outputs.record)
        own = [drawn[agent], *(path.read_text() for path in paths)]
        for other in made.names:
            there = [[name for name in secrets[other] if name in text] for text in own]
            assert all(there) if other == agent else not any(there)


def test_others_steps_have_their_time_and_exactly_their_public_effects(run):
    made, _, _, instance = run
    actual = {}
    for agent in made.names:
        actions = {action.name: action for action in instance.local(agent).actions}
        for number, name in steps(made, agent).items():
            if actions[name].is_public:
                adds, deletes = (
                    {str(f) for f in facts if f in instance.public.facts and f.positive}
                    for facts in (actions[name].adds, actions[name].deletes)
                )
                assert number % 1000 == 0
                actual[number // 1000] = (agent, adds, deletes)
    assert sorted(actual) == list(range(1, len(actual) + 1))
    for agent in made.names:
        text = made.configs[agent].outputs.plan.read_text()
        told = {}
        for time, other, what in re.findall(r"^; (\d+): (\S+) (.*)$", text, re.M):
            made_true, _, ended = what.partition("ends ")
            facts = [set(re.findall(r"\([^()]+\)", part)) for part in (made_true, ended)]
            told[int(time)] = (other, *facts)
        assert told == {time: step for time, step in actual.items() if step[0] != agent}


def test_the_calendar_has_the_rows_of_the_plan(run):
    made, _, _, _ = run
    for agent in made.names:
        rows = list(csv.DictReader(calendar(made, agent).open()))
        own = steps(made, agent)
        assert [row["action"] for row in rows if row["agent"] == agent] == list(own.values())
        assert [int(r["time"]) for r in rows] == sorted(int(r["time"]) for r in rows)
        at = [int(row["time"]) for row in rows if row["when"] == "at"]
        assert at == list(range(1, len(at) + 1))
        assert not [row for row in rows if row["agent"] != agent and row["action"]]


def test_a_record_begins_with_its_sum_and_has_each_plan_once(run):
    made, found, _, _ = run
    for agent in made.names:
        path = made.configs[agent].outputs.record
        text = path.read_text()
        head = " ".join(line.strip("; ") for line in text.splitlines()[1:17])
        assert "ended with 'solved'" in head
        assert "A token is a number that stands for one private fact" in head
        edges, total = found[agent].ledger.counts(agent).edges, found[agent].dependencies
        assert f"{edges} of {total} dependencies" in head
        for peer in made.names:
            assert peer == agent or re.search(rf"\b{peer}\b.* told ", head)
        written = re.findall(r"own steps \d+: (.*)", text)
        assert len(written) == len(set(written)) > 0
        again = re.findall(r"own steps (\d+), as above", text)
        assert {int(number) for number in again} <= set(range(1, len(written) + 1))
        record = read_record(path)
        assert all(record.to(p).counts.edges == edges for p in made.names if p != agent)


def test_the_page_counts_as_the_ledger_does(run):
    made, found, _, _ = run
    for agent, text in pages(made, found).items():
        for other in made.names:
            counts = found[agent].ledger.counts(other)
            total = f" of {found[agent].dependencies:,}" if other == agent else ""
            said = f"{counts.edges:,}{total} edge"
            assert re.search(rf"<b>{other}</b>.*{said}", text)
        known = learned(agent, found[agent], made.configs[agent].outputs.transcript)
        assert known is not None
        assert known.admits
        assert f"{len(known.certain)} certain, {known.guessed_besides} guessed" in text


def test_an_agent_and_its_page_need_nothing_that_sees_everything():
    code = "import sys, tacit.cli.agent, tacit.cli.agent_page; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "tacit.draw.page" in done.stdout.split()
    seen = ("tacit.central", "tacit.experiment", "tacit.audit")
    assert not [name for name in done.stdout.split() if name.startswith(seen)]


def test_a_page_without_a_plan_says_why(run):
    made, found, _, _ = run
    agent = made.names[0]
    end = found[agent]
    end = type(end)(Outcome.UNDECIDED, end.leader, end.ledger, end.dependencies)
    text = agent_page(agent, "p", end, "others said no more", None).html()
    assert "Why there is no plan" in text
    assert "others said no more" in text


def test_the_transcript_of_a_page_is_gone_afterwards(tmp_path):
    with _transcript_for(tmp_path / "p.html", None) as path:
        assert path is not None
        path.write_bytes(b"x")
        assert path.parent.stat().st_mode & 0o077 == 0
    assert not path.parent.exists()
    with _transcript_for(None, None) as path:
        assert path is None
    with _transcript_for(tmp_path / "p.html", tmp_path / "t") as path:
        assert path == tmp_path / "t"


def test_a_run_that_was_killed_has_no_sum_and_what_was_before_it_stays(tmp_path):
    path = tmp_path / "record.txt"
    first = DisclosureRecord(path, "a", ["b"])
    first.conclude("solved", 3)
    first.close()
    before = path.read_bytes()
    DisclosureRecord(path, "a", ["b"])
    killed = DisclosureRecord(path, "a", ["b"])
    lost = DisclosureRecord(path, "a", ["b"])
    lost.close()
    assert path.read_bytes().startswith(before)
    runs = path.read_text().split("; what 'a' disclosed")[1:]
    assert [UNFINISHED in run for run in runs] == [False, True, True, False]
    assert "ended early" in runs[3]
    assert "0 of 3 dependencies" in runs[0]
    del killed


counts = st.dictionaries(
    st.sampled_from(["actions", "tokens", "edges", "repairs", "free", "plans", "batches", "bytes"]),
    st.integers(1, 10**9),
)


@settings(max_examples=40)
@given(st.dictionaries(st.text(min_size=1, max_size=100), counts, max_size=12), st.text(min_size=1))
def test_a_sum_fits_into_the_room_that_was_left_for_it(told, agent):
    found = summary(agent, "ended", 5, {peer: Counter(own) for peer, own in told.items()})
    assert len(found) == len(room(len(told)))
    assert found.count(b"\n") == room(len(told)).count(b"\n")
    assert all(line[:1] in (b";", b" ") for line in found.splitlines() if line)
