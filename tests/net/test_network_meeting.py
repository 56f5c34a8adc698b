"""How agents come together: late, again, never, or with other terms and files."""

from __future__ import annotations

import re
import threading

import pytest
from support.forms import generated
from support.hosts import play, small, together, troupe
from support.inside import interrupt
from support.waiting import until

from tacit.errors import ProtocolError
from tacit.net.config import Timing
from tacit.pddl.factor_writer import factor
from tacit.public.protocol.link import Terms
from tacit.public.settings import Harden, Settings


def test_late_agents_are_waited_for(tmp_path):
    made = small("logistics", tmp_path)
    hosts = {agent: made.host(agent) for agent in made.names}
    late = hosts[made.names[-1]]
    run = late.run

    def run_late():
        until(lambda: any("is here" in line for line in made.logs[made.names[0]]))
        return run()

    late.run = run_late
    together(play(hosts), made, generated("logistics"))


@pytest.mark.parametrize("which", [0, 1, 2])
def test_an_agent_that_restarts_before_planning_is_taken_back(tmp_path, which):
    made = small("logistics", tmp_path)
    names = made.names
    again = names[which]
    others = [agent for agent in names if agent != again]
    first = made.host(again)
    hosts = {others[0]: made.host(others[0])}
    ended: list[object] = []

    def begin_and_stop() -> None:
        def live() -> None:
            try:
                first.run()
            except BaseException as error:
                ended.append(error)

        thread = threading.Thread(target=live, daemon=True)
        thread.start()
        until(lambda: any("is here" in line for line in made.logs[others[0]]))
        interrupt(first)
        thread.join(20)
        assert not thread.is_alive()
        until(lambda: any("is gone" in line for line in made.logs[others[0]]))
        rest = {agent: made.host(agent) for agent in (again, others[1])}
        found.update(play(rest))

    found: dict[str, object] = {}
    found.update(play(hosts, [begin_and_stop]))
    together(found, made, generated("logistics"))
    assert isinstance(ended[0], KeyboardInterrupt)


def test_an_agent_that_never_comes(tmp_path):
    made = small("logistics", tmp_path, timing=Timing(wait=0.5))
    missing = made.names[1]
    found = play({agent: made.host(agent) for agent in made.names if agent != missing})
    for error in found.values():
        assert isinstance(error, ProtocolError)
        assert "no connection with" in str(error)
        assert f"'{missing}'" in str(error)


MISMATCHES = {
    "k": ({"terms": Terms(k=3)}, "wants other terms: k"),
    "settings": ({"terms": Terms(settings=Settings(repair=False))}, "repair"),
    "solver": ({"terms": Terms("mafs")}, "solver"),
    "harden": ({"terms": Terms(settings=Settings(harden=(Harden.PAD,)))}, "harden pad (here none)"),
}


@pytest.mark.parametrize("what", list(MISMATCHES))
def test_other_terms_are_an_error_on_both_sides(tmp_path, what):
    changes, text = MISMATCHES[what]
    made = small("driverlog", tmp_path, timing=Timing(wait=5))
    _, other = made.names
    made.change(other, **changes)
    found = play({agent: made.host(agent) for agent in made.names})
    assert all(isinstance(error, ProtocolError) for error in found.values())
    assert any(text in str(error) for error in found.values())
    assert all("terms" in str(error) for error in found.values())


def test_other_public_facts_are_an_error_on_both_sides(tmp_path):
    texts = factor(generated("driverlog", 0))
    _, other = texts
    domain, problem = texts[other]
    texts[other] = (domain, re.sub(r"(\(:init\b)", r"\1 (at p1 s1) (at p1 s2)", problem))
    assert texts[other][1] != problem
    made = troupe(texts, tmp_path, timing=Timing(wait=5))
    found = play({agent: made.host(agent) for agent in made.names})
    for error in found.values():
        assert isinstance(error, ProtocolError)
        assert "other public objects, initial facts or goals" in str(error)
