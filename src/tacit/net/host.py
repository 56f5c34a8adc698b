"""One agent as a process of its own: it holds its own two files, and plans with its peers.

Gather: wait until everybody is there. Ground: exchange what grounding takes. Plan: the lot says who
asks, the others answer. Part: write the own plan and say farewell. There is no coordinator; the lot
is drawn from the public task, so everybody draws the same.

The agent thinks in a thread of its own. The main thread watches: whatever happens, a peer that is
gone, a deadline or Ctrl-C, the process ends in bounded time, says farewell with a reason from a
fixed list, and leaves an agent that is deep in thought behind.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tacit.errors import InputError
from tacit.net.config import AgentConfig
from tacit.net.faults import Fault, OutOfTime, lost, out_of_turn, reason_of, senseless
from tacit.net.leading import Leading
from tacit.net.member import Member
from tacit.net.numbering import plan_text
from tacit.net.record import DisclosureRecord
from tacit.net.talk import Heard, Talk
from tacit.party.agent import Agent
from tacit.party.grounding import GroundingAgent
from tacit.pddl.agents import natural_order
from tacit.pddl.reader import read_agent
from tacit.pddl.source import Source
from tacit.pddl.syntax import Pair
from tacit.public import digest
from tacit.public.link import VERSION, Agreed, Ending, Hello, Reason, Stage
from tacit.public.messages import Grounding, Publish
from tacit.public.recording import Recorder
from tacit.public.task import PublicFact, PublicTask
from tacit.transport.network import Network, place_of

Log = Callable[[str], None]

WATCH = 0.1
"""Seconds between two looks of the main thread."""

GRACE = 2.0
"""Seconds that an agent gets to notice by itself that it cannot go on, and for the farewell."""


@dataclass(frozen=True)
class Conclusion:
    """How a run ended for one agent: who led it, the budget, and what this agent disclosed.

    `disclosed` counts edges within the budget, `told` those of larger budgets on the way as well,
    as far as they went out to anybody: an agent that leads does not tell itself.
    """

    ending: Ending
    k: int
    leader: str
    disclosed: int
    told: int
    dependencies: int
    repairs: int
    plan: Path | None = None


class Host:
    """Runs one agent. `run` returns when all is over; `is_stuck` if its thread still thinks."""

    def __init__(self, config: AgentConfig, log: Log = lambda text: None):
        self._config = config
        self._log = log
        description = read_agent(
            config.name, Source.read(config.domain), Source.read(config.problem)
        )
        self.warnings = description.warnings
        self._pair = description.pairs[0]
        self._agents = natural_order((config.name, *config.peers))
        self._record = DisclosureRecord(config.outputs.record, config.name)
        self._recorder = _recorder(config, self._agents)
        self._network = Network(
            self._hello(),
            place_of(config.name, config.listen, config.peers, self._agents),
            config.identity,
            config.limits,
            self._recorder.add if self._recorder else lambda peer, is_sent, payload: None,
            log,
        )
        peers = [name for name in self._agents if name != config.name]
        self._talk = Talk(config.name, peers, self._network, self._record, log)
        self._done = threading.Event()
        self._conclusion: Conclusion | None = None
        self._error: BaseException | None = None
        self.is_stuck = False

    @property
    def port(self) -> int:
        return self._network.port

    def _hello(self) -> Hello:
        own = digest.of_start(*_public_start(self._pair))
        return Hello(self._config.name, VERSION, self._agents, self._config.terms, own)

    # The main thread

    def run(self) -> Conclusion:
        """Plan with the others; how it ended, or the error that ended it."""
        thread = threading.Thread(target=self._live, name="agent", daemon=True)
        reason, about = Reason.DONE, None
        try:
            self._network.start()
            thread.start()
            while not self._done.wait(WATCH):
                self._watch()
            if self._error is not None:
                raise self._error
            assert self._conclusion is not None
            return self._conclusion
        except BaseException as error:
            reason, about = reason_of(error)
            raise
        finally:
            self._talk.part(reason, about, self._config.limits.silence)
            self._network.close()
            thread.join(GRACE)
            self.is_stuck = thread.is_alive()
            self._close_files()

    def _watch(self) -> None:
        """End what the agent is too busy to notice."""
        now = time.monotonic()
        if now > self._talk.deadline + GRACE:
            raise OutOfTime("the run took longer than it may")
        found = self._network.lost
        if found is not None and now > found.when + self._config.limits.silence:
            raise lost(found.peer, found.why)

    def _close_files(self) -> None:
        self._record.close()
        if self._recorder is not None:
            self._recorder.close()

    # The agent's own thread

    def _live(self) -> None:
        try:
            self._conclusion = self._take_part()
        except BaseException as error:
            self._error = error
        finally:
            self._done.set()

    def _take_part(self) -> Conclusion:
        config = self._config
        self._log(f"'{config.name}' listens at port {self.port}")
        self._talk.gather(config.timing.wait)
        self._talk.deadline = time.monotonic() + config.timing.run
        self._log("all agents are here")
        ground = self._ground()
        public = PublicTask(
            self._agents, ground.public_facts, ground.public_init, ground.public_goal, lambda _: ()
        )
        agreed = digest.of_ground(public.facts, public.init, public.goal)
        self._agree(agreed)
        seed = config.seed if config.seed is not None else secrets.token_hex(16)
        agent = Agent(ground.result(), seed)
        self._record.meet(agent)
        member = Member(agent, self._agents, self._talk, config.terms, agreed, config.memory)
        self._log(f"'{member.leader}' leads")
        for heard in self._talk.held():
            member.handle(heard)
        if member.leader == config.name:
            seconds, memory = config.timing.answer, config.memory
            leading = Leading(member, self._talk, public, config.terms, seconds, memory, seed)
            concluded = leading.run()
        else:
            concluded = member.follow()
        return self._conclude(member, concluded.ending, concluded.k, concluded.spacing)

    def _ground(self) -> GroundingAgent:
        agent = GroundingAgent(self._pair, self._agents)
        out = _Out(self._talk)
        agent.open(out)
        waiting = self._talk.held()
        while agent.task is None:
            heard = waiting.pop(0) if waiting else self._hear()
            if isinstance(heard.message, Agreed):
                self._talk.hold(heard)  # it is done already
                continue
            if not isinstance(heard.message, Grounding):
                raise out_of_turn(heard.peer)
            try:
                agent.receive(heard.peer, heard.payload, out)
            except (LookupError, ValueError, TypeError):
                raise senseless(heard.peer) from None
        for heard in waiting:
            self._talk.hold(heard)
        return agent

    def _hear(self) -> Heard:
        heard = self._talk.hear(self._config.timing.answer)
        if heard is None:
            raise OutOfTime(f"nothing came for {self._config.timing.answer:g} s while grounding")
        return heard

    def _agree(self, own: bytes) -> None:
        """Has everybody ground the same public task?"""
        self._talk.tell_all(Agreed(self._config.name, Stage.GROUND, own))
        missing = set(self._config.peers)
        waiting = self._talk.held()
        while missing:
            heard = waiting.pop(0) if waiting else self._hear()
            message = heard.message
            if isinstance(message, Publish):
                self._talk.hold(heard)  # whoever leads knows already that all agree
                continue
            if not isinstance(message, Agreed) or message.stage is not Stage.GROUND:
                raise out_of_turn(heard.peer)
            if heard.peer not in missing:
                raise out_of_turn(heard.peer)
            if message.digest != own:
                text = f"agents '{self._config.name}' and '{heard.peer}' have other public tasks"
                raise Fault(text, Reason.DISAGREEMENT, heard.peer)
            missing.discard(heard.peer)
        for heard in waiting:
            self._talk.hold(heard)

    def _conclude(self, member: Member, ending: Ending, k: int, spacing: int) -> Conclusion:
        agent, path = member.agent, None
        kept = member.kept.get(k)
        if ending is Ending.SOLVED:
            if kept is None:
                raise Fault(
                    f"agent '{member.leader}' ends with a plan that nobody knows",
                    Reason.PROTOCOL,
                    member.leader,
                )
            path = self._config.outputs.plan
            if path is not None:
                _write(path, plan_text(agent.task, kept.steps, kept.own, spacing))
        return Conclusion(
            ending,
            k,
            member.leader,
            len(agent.disclosed),
            self._record.edges,
            len(agent.dependencies.graph.columns),
            member.repairs,
            path,
        )


class _Out:
    """The way out while grounding."""

    def __init__(self, talk: Talk):
        self._talk = talk

    def send(self, receiver: str, frame: bytes) -> None:
        self._talk.send_encoded(receiver, frame)


def _public_start(pair: Pair) -> tuple[list[str], list[PublicFact], list[PublicFact]]:
    """The public objects, initial facts and goals of an agent's own files."""
    private = {item.name for item in pair.objects if item.private}
    public = {predicate.name for predicate in pair.domain.predicates if not predicate.private}
    objects = [item.name for item in pair.objects if not item.private]
    init = [
        PublicFact(atom.name, atom.args)
        for atom in pair.problem.init
        if atom.name in public and private.isdisjoint(atom.args)
    ]
    goals = [
        PublicFact(literal.atom.name, literal.atom.args, literal.positive)
        for literal in pair.problem.goal
        if literal.atom.name in public and private.isdisjoint(literal.atom.args)
    ]
    return objects, init, goals


def _recorder(config: AgentConfig, agents: tuple[str, ...]) -> Recorder | None:
    path = config.outputs.transcript
    return None if path is None else Recorder(path, config.name, agents)


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write '{path}': {error.strerror}") from None
