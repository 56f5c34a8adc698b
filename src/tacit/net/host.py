"""One agent as a process of its own: it holds its own two files, and plans with its peers.

Gather: wait until everybody is there. Ground: exchange what grounding takes. Plan: a leader asks,
the others answer. Part: write the own plan and send farewell. There is no coordinator besides the
agents; the leader is elected by lot, from nonces of all agents (`tacit.net.election`).

The agent works in a thread of its own. The main thread watches: with a peer that is gone, a
deadline or Ctrl-C, the process ends in bounded time, sends farewell with a reason from a fixed
list, and abandons an agent that is still busy.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Sequence

from tacit import files, watch
from tacit.errors import ProtocolError
from tacit.net.conclusion import Conclusion
from tacit.net.config import AgentConfig, own_weights
from tacit.net.election import Election
from tacit.net.faults import OutOfTime, lost, reason_of, senseless
from tacit.net.grounding import ground_together, public_problem
from tacit.net.lasting import LastingLedger
from tacit.net.lasting_files import Place
from tacit.net.leading import Leading
from tacit.net.member import Member, Own
from tacit.net.own_plan import KnownStep, calendar_text, known_steps, plan_text
from tacit.net.record import DisclosureRecord
from tacit.net.talk import Talk
from tacit.net.task_digest import digest_of
from tacit.party.agent import Agent
from tacit.party.bounds import Bounds
from tacit.party.disclosure.prices import Prices
from tacit.party.masking import Masking
from tacit.pddl.agents import natural_order
from tacit.pddl.reader import read_agent
from tacit.pddl.source import Source
from tacit.public.outcome import Outcome
from tacit.public.protocol import digest
from tacit.public.protocol.election import task_of
from tacit.public.protocol.link import VERSION, Concluded, Hello, Reason
from tacit.public.protocol.recording import Recorder
from tacit.transport.doors import place_of
from tacit.transport.greeting import forget
from tacit.transport.network import Network

Log = Callable[[str], None]

WATCH = 0.1
"""Seconds between two checks of the main thread."""

GRACE = 2.0
"""Seconds that an agent gets to notice by itself that it cannot go on, and for the farewell."""


class Host:
    """Runs one agent. `run` returns when all is over; `is_stuck` if its thread still works."""

    def __init__(self, config: AgentConfig, log: Log = lambda text: None):
        self._config = config
        self._log = log
        with watch.limited(memory=config.memory), watch.phase("reading"):
            files = (Source.read(path) for path in (config.domain, config.problem))
            description = read_agent(config.name, *files)
        self.problem, self.warnings = description.name, description.warnings
        self._pair = description.pairs[0]
        self._weights = own_weights(config)
        self._agents = natural_order((config.name, *config.peers))
        self._problem = digest.of_problem(*public_problem(self._pair))
        task = task_of(self._agents, self._problem)
        self._election = Election(config.name, task, config.elections, config.seed, config.anew)
        self._masking = Masking(config.name) if config.terms.improve > 0 else None
        self._record = DisclosureRecord(config.outputs.record, config.name, config.peers)
        self._recorder = _recorder(config, self._agents)
        self._network = Network(
            self._hello(),
            place_of(config.name, config.listen, config.peers, self._agents),
            config.identity,
            config.limits,
            self._recorder.add if self._recorder else forget,
            log,
        )
        peers = [name for name in self._agents if name != config.name]
        self._talk = Talk(config.name, peers, self._network, self._record, log)
        self._lasting: LastingLedger | None = None
        self._done = threading.Event()
        self._conclusion: Conclusion | None = None
        self._error: BaseException | None = None
        self.is_stuck = False

    @property
    def port(self) -> int:
        return self._network.port

    def _hello(self) -> Hello:
        config, election = self._config, self._election
        return Hello(
            config.name,
            VERSION,
            self._agents,
            config.terms,
            self._problem,
            election.commitment,
            election.not_leading,
            b"" if self._masking is None else self._masking.key,
        )

    # The main thread

    def run(self) -> Conclusion:
        """Plan with the others; how it ended, or the error that ended it. The lasting ledger is
        opened before anything is said.
        """
        try:
            self._lasting = self._open_ledger()
        except BaseException:
            self._close_files()
            raise
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
            try:
                self._talk.part(reason, about, self._config.limits.silence)
            finally:
                self._network.close()
                thread.join(GRACE)
                self.is_stuck = thread.is_alive()
                self._close_files()

    def check(self) -> dict[str, str]:
        """Meet every peer and leave before anything is published; the peers that could not be met,
        and why. Peers that want to plan wait for this agent to come again.
        """
        reason, about = Reason.CHECKED, None
        try:
            self._network.start()
            self._log(f"'{self._config.name}' listens at port {self.port}")
            return self._talk.see_all(self._config.timing.wait)
        except BaseException as error:
            reason, about = reason_of(error)
            raise
        finally:
            try:
                self._talk.part(reason, about, GRACE)
            finally:
                self._network.close()
                self._close_files()

    def _watch(self) -> None:
        """End what the agent is too busy to notice."""
        now = time.monotonic()
        if now > self._talk.deadline + GRACE:
            raise OutOfTime("the run took longer than its limit")
        found = self._network.lost
        if found is not None and now > found.when + self._config.limits.silence:
            raise lost(found.peer, found.why)

    def _open_ledger(self) -> LastingLedger | None:
        config = self._config
        if config.ledger is None:
            return None
        bounds = {peer: config.lasting_bounds(peer) for peer in config.peers}
        place = Place(config.ledger, config.name)
        return LastingLedger(place, digest_of(self._pair), bounds, config.seed)

    def _close_files(self) -> None:
        if self._lasting is not None and not self.is_stuck:
            self._lasting.close()
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
        self._talk.await_all(config.timing.wait, self._run_with)
        self._note_runs()
        self._talk.deadline = time.monotonic() + config.timing.run
        self._log("all agents are here")
        self._election.meet(self._talk.hellos)
        self._meet_keys()
        with watch.limited(config.timing.run, config.memory):
            return self._plan()

    def _meet_keys(self) -> None:
        for peer, hello in self._talk.hellos.items():
            try:
                if self._masking is not None:
                    self._masking.meet(peer, hello.key)
            except ProtocolError:
                raise senseless(peer) from None

    def _run_with(self, peer: str) -> int:
        """The number of this run with a peer."""
        return 0 if self._lasting is None else self._lasting.begin(peer, self._config.terms)

    def _note_runs(self) -> None:
        """Write down which run this is, for this owner and for each peer."""
        for peer, theirs in self._talk.runs.items():
            self._record.begin(peer, self._run_with(peer), theirs, self._config.terms)
            if self._lasting is not None:
                self._lasting.meet(peer, theirs)

    def _plan(self) -> Conclusion:
        config, timing = self._config, self._config.timing
        with watch.phase("grounding"):
            ground = ground_together(
                self._pair, self._agents, self._talk, timing.answer, config.limits.message
            )
        leader = self._election.elect(self._talk, timing.answer)
        seed = config.seed if config.seed is not None else secrets.token_hex(16)
        task = ground.task
        prices = None if self._weights is None else Prices(task, self._weights)
        for warning in prices.warnings if prices else ():
            self._log(f"warning: {warning}")
        agent = Agent(
            task,
            seed,
            prices=prices,
            bounds=self._bounds,
            lasting=self._lasting,
            masking=self._masking,
        )
        self._record.describe_with(agent)
        own = Own(agent, config.terms, timing.answer)
        member = Member(own, self._agents, self._talk, ground.digest, leader)
        self._log(f"'{member.leader}' leads")
        for heard in self._talk.deferred():
            member.handle(heard)
        if member.leader == config.name:
            concluded = Leading(member, self._talk, ground.public, own, seed).run()
        else:
            concluded = member.follow()
        return self._conclude(member, concluded)

    @property
    def _bounds(self) -> Bounds:
        """What holds in this run; where a lasting ledger has the owner's bounds, what it has not:
        the k that was agreed on for a run, its repairs, and how far ahead the agent may be.
        """
        bounds = self._config.bounds
        if self._lasting is not None:
            bounds = Bounds(repairs=bounds.repairs, ahead=bounds.ahead)
        return bounds.within(self._config.terms.k, self._config.terms.repairs)

    def _conclude(self, member: Member, concluded: Concluded) -> Conclusion:
        agent, path, steps = member.agent, None, list[KnownStep]()
        agent.close_ledger()
        if self._lasting is not None:
            self._log(f"{self._lasting.new_items} of what it disclosed was new to some peer")
        if concluded.outcome is Outcome.SOLVED:
            path = self._config.outputs.plan
            assert member.kept is not None
            steps = known_steps(agent.task, member.kept, concluded.spacing)
            self._write_plan(steps, concluded.spacing)
        edges = len(agent.dependencies.graph.columns) if agent.has_published else 0
        self._record.conclude(concluded.outcome.value, edges)
        facts = agent.task.public_facts
        return Conclusion(
            concluded.outcome,
            member.leader,
            agent.ledger,
            edges,
            concluded.no_more,
            tuple(str(facts[goal]) for goal in concluded.unreachable),
            concluded.unfinished,
            path,
            len(agent.disclosed) - agent.ledger.counts(agent.name).edges,
            agent,
            tuple(steps),
        )

    def _write_plan(self, steps: Sequence[KnownStep], spacing: int) -> None:
        name, outputs = self._config.name, self._config.outputs
        if outputs.plan is not None:
            files.write(outputs.plan, plan_text(name, steps, spacing).encode())
        if outputs.calendar is not None:
            files.write(outputs.calendar, calendar_text(name, steps).encode())


def _recorder(config: AgentConfig, agents: tuple[str, ...]) -> Recorder | None:
    path = config.outputs.transcript
    return None if path is None else Recorder(path, config.name, agents)
