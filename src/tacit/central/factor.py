"""From a description to one public task and one local task per agent.

An unfactored problem is grounded as a whole and then split; the agents of a factored one each
ground their own files and exchange what they must. Both ways number public facts identically, so
both forms of a problem yield the same task.
"""

from __future__ import annotations

from dataclasses import dataclass

from tacit import native, watch
from tacit.errors import Diagnostic, InputError
from tacit.party.disclosure.relaxed_layers import take_turns
from tacit.party.local.compiled import Compiled, ground_limit
from tacit.party.local.grounding import GroundingAgent
from tacit.party.local.task import LocalTask
from tacit.pddl.agents import agents_of
from tacit.pddl.syntax import Description, Form
from tacit.public.protocol.transcript import Transcript
from tacit.public.task import PublicFact, PublicTask
from tacit.transport.in_process import InProcess


@dataclass(frozen=True)
class Factored:
    """The public task, the agents' own tasks, and all messages exchanged to build them."""

    public: PublicTask
    local: dict[str, LocalTask]
    transcript: Transcript


def factor(description: Description) -> Factored:
    """Ground a description and split it by privacy."""
    agents = agents_of(description)
    if not agents:
        hint = (
            "Tacit reads MA-PDDL: actions have ':agent ?a - TYPE', and objects of that type exist"
        )
        file = description.pairs[0].problem.source.name
        message = f"the problem '{description.name}' has no agents"
        raise InputError(Diagnostic(message, file, hint=hint))
    if description.form is Form.FACTORED:
        return _together(description, agents)
    return _split(description, agents)


def _split(description: Description, agents: tuple[str, ...]) -> Factored:
    compiled = Compiled(description.pairs[0], agents)
    grounder = compiled.grounder(compiled.public_changes, compiled.negates)
    try:
        grounder.run()
        task = grounder.finish(compiled.goals, compiled.negative_goals, [])
    except native.GroundingLimit as error:
        raise ground_limit(error) from None
    count = task.public_facts
    predicates, objects = compiled.predicates, compiled.objects
    facts = tuple(
        PublicFact(predicates[row[0]], tuple([objects[n] for n in row[2:]]), positive=bool(row[1]))
        for row in watch.checked(native.tuples(task.facts)[:count])
    )
    local = {
        agent: LocalTask(agent, compiled, task.local(number, [], -1), facts)
        for number, agent in enumerate(agents)
    }
    init = tuple(number for number in task.init if number < count)
    goal = tuple(number for number in task.goal if number < count)
    take_turns(local, init)
    public = PublicTask(agents, facts, init, goal)
    return Factored(public, local, Transcript())


def _together(description: Description, agents: tuple[str, ...]) -> Factored:
    pairs = {str(pair.agent): pair for pair in description.pairs}
    ports = [GroundingAgent(pairs[agent], agents) for agent in agents]
    transport = InProcess(ports)
    transport.run()
    local = {port.name: port.result() for port in ports}
    first = ports[0]
    public = PublicTask(
        agents,
        first.public_facts,
        first.public_init,
        first.public_goal,
    )
    return Factored(public, local, transport.transcript)
