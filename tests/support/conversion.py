"""Problems in both forms, the factored one as a converter may write it.

A problem is drawn once, and then written twice. In the files of an agent an action may have the
agent as a parameter, first or further behind, or be written for the agent, with the agent's name in
its body, behind its own name, or both. Agents are constants or objects, public or private, of
several types, some without any action; their names end in one another's. Files repeat facts that
are not the agent's business, and list types that have no objects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from random import Random

from tacit.pddl.reader import read_agent, read_texts
from tacit.pddl.source import Source
from tacit.pddl.syntax import Description, Form

ME = "?me"
ABOVE = {"node": {"node", "unit"}, "base": {"base", "unit"}, "idle": {"idle", "unit"}}
TYPES = "unit note level board - object\n node base idle - unit"
LEVELS = ("low", "high")
FAMILIES = (
    ("node1", "subnode1", "node12", "node2"),
    ("1", "a_1", "b-a_1", "11"),
    ("e_x", "node_x", "de_x", "x"),
    ("depot", "depot-0", "0", "depot_0_0"),
)
SCHEMAS = ("send", "call_1", "tell-x", "go", "load_depot", "sendnode1")
Atom = tuple[str, ...]


@dataclass(frozen=True)
class Predicate:
    """`owner` is the argument that names the agent of a private one."""

    name: str
    types: tuple[str, ...]
    owner: int | None = None


PREDICATES = (
    Predicate("linked", ("unit", "unit")),
    Predicate("told", ("unit", "note")),
    Predicate("sent", ("unit", "note", "unit")),
    Predicate("nailed", ("note", "board")),
    Predicate("charge", ("unit", "level"), 0),
    Predicate("holds", ("note", "node"), 1),
    Predicate("knows", ("unit", "unit"), 1),
)
PLACED = {predicate.name: predicate for predicate in PREDICATES}


@dataclass(frozen=True)
class Agent:
    name: str
    kind: str
    is_constant: bool
    is_private: bool


@dataclass(frozen=True)
class Schema:
    name: str
    actor: str
    parameters: tuple[tuple[str, str], ...]
    needs: tuple[Atom, ...]
    lacks: tuple[Atom, ...]
    adds: tuple[Atom, ...]
    deletes: tuple[Atom, ...]

    @property
    def atoms(self) -> tuple[Atom, ...]:
        return (*self.needs, *self.lacks, *self.adds, *self.deletes)

    def mentions(self, name: str) -> bool:
        return any(name in atom[1:] for atom in self.atoms)

    def written_for(self, agent: str) -> Schema:
        def put(atoms: tuple[Atom, ...]) -> tuple[Atom, ...]:
            return tuple(tuple(agent if word == ME else word for word in atom) for atom in atoms)

        parts = (put(part) for part in (self.needs, self.lacks, self.adds, self.deletes))
        return Schema(self.name, self.actor, self.parameters, *parts)

    def text(self, name: str, parameters: Iterable[tuple[str, str]], agent: str = "") -> str:
        needs = [shown(atom) for atom in self.needs]
        needs += (f"(not {shown(atom)})" for atom in self.lacks)
        effect = [shown(atom) for atom in self.adds]
        effect += (f"(not {shown(atom)})" for atom in self.deletes)
        listed = " ".join(f"{variable} - {kind}" for variable, kind in parameters)
        return (
            f" (:action {name} {agent} :parameters ({listed})\n"
            f"  :precondition (and {' '.join(needs)})\n  :effect (and {' '.join(effect)}))"
        )


@dataclass(frozen=True)
class Problem:
    agents: tuple[Agent, ...]
    schemas: tuple[Schema, ...]
    notes: tuple[str, ...]
    init: tuple[Atom, ...]
    goals: tuple[Atom, ...]
    has_empty_list: bool

    @property
    def uses_empty_types(self) -> bool:
        kinds = {"note", "level"}.union(*(ABOVE[agent.kind] for agent in self.agents))
        return any(kind not in kinds for s in self.schemas for _, kind in s.parameters)

    def can_act(self, agent: Agent) -> bool:
        return any(fits(agent.kind, schema.actor) for schema in self.schemas)


def shown(words: Iterable[str]) -> str:
    return f"({' '.join(words)})"


def draw_problem(rng: Random) -> Problem:
    names = rng.sample(rng.choice(FAMILIES), rng.randint(2, 3))
    agents = [
        Agent(name, rng.choice(["node", "node", "base"]), rng.random() < 0.6, rng.random() < 0.2)
        for name in names
    ]
    if rng.random() < 0.3:
        agents[-1] = replace(agents[-1], kind="idle")
    open_constants = [a for a in agents if a.is_constant and not a.is_private]
    names = rng.sample(SCHEMAS, rng.randint(1, 4))
    schemas = [_draw_schema(rng, name, rng.sample(open_constants, len(open_constants)))
               for name in names]  # fmt: skip
    notes = ("m1", "m2")[: rng.randint(1, 2)]
    return Problem(
        tuple(agents),
        tuple(schemas),
        notes,
        tuple(_draw_init(rng, agents, notes)),
        tuple(_draw_goals(rng, agents, notes)),
        rng.random() < 0.5,
    )


def _draw_schema(rng: Random, name: str, constants: list[Agent]) -> Schema:
    actor = rng.choice(["unit", "node", "node", "base"])
    pool = [("?u", "unit"), ("?n", "node"), ("?m", "note"), ("?l", "level")]
    if rng.random() < 0.1:
        pool.append(("?b", "board"))
    parameters = rng.sample(pool, rng.randint(0, 3))
    terms = [(ME, actor), *parameters, *((level, "level") for level in LEVELS)]
    if rng.random() < 0.2:
        terms += ((agent.name, agent.kind) for agent in constants[:1])
    atoms = list(_atoms(lambda wanted: [t for t, kind in terms if fits(kind, wanted)]))
    public = [atom for atom in atoms if PLACED[atom[0]].owner is None] or atoms
    return Schema(
        name,
        actor,
        tuple(parameters),
        _some(rng, atoms, 0, 2),
        _some(rng, atoms, 0, 1),
        (rng.choice(public), *_some(rng, atoms, 0, 1)),
        _some(rng, atoms, 0, 1),
    )


def _some(rng: Random, items: list[Atom], low: int, high: int) -> tuple[Atom, ...]:
    return tuple(rng.sample(items, min(len(items), rng.randint(low, high))))


def fits(kind: str, wanted: str) -> bool:
    return wanted in ABOVE.get(kind, {kind})


def _atoms(terms: Callable[[str], list[str]]) -> Iterator[Atom]:
    for predicate in PREDICATES:
        for args in product(*(terms(wanted) for wanted in predicate.types)):
            yield (predicate.name, *args)


def _all_facts(agents: Iterable[Agent], notes: Iterable[str]) -> Iterator[Atom]:
    typed = [*((a.name, a.kind) for a in agents), *((n, "note") for n in notes)]
    typed += ((level, "level") for level in LEVELS)
    return _atoms(lambda wanted: [name for name, kind in typed if fits(kind, wanted)])


def _draw_init(rng: Random, agents: list[Agent], notes: tuple[str, ...]) -> Iterator[Atom]:
    for fact in _all_facts(agents, notes):
        if rng.random() < 0.5:
            yield fact


def _draw_goals(rng: Random, agents: list[Agent], notes: tuple[str, ...]) -> Iterator[Atom]:
    """Public goals over what all agents see, and private ones."""
    seen = [agent for agent in agents if not agent.is_private]
    facts = [f for f in _all_facts(seen, notes) if PLACED[f[0]].owner is None]
    yield from _some(rng, facts, 0, 2)
    if rng.random() < 0.5:
        yield ("charge", rng.choice(agents).name, "high")


def unfactored(problem: Problem) -> tuple[str, str]:
    """The texts of the domain and the problem of everybody."""
    predicates = []
    for predicate in PREDICATES:
        listed = [f"?x{n} - {kind}" for n, kind in enumerate(predicate.types)]
        text = shown((predicate.name, *listed))
        if predicate.owner is not None:
            text = f"(:private {listed[predicate.owner]} {text})"
        predicates.append(text)
    actions = [s.text(s.name, s.parameters, f":agent {ME} - {s.actor}") for s in problem.schemas]
    domain = domain_text(
        ":multi-agent :unfactored-privacy", named_agents(problem, True), predicates, actions
    )
    # An agent that cannot act is one because something is its own.
    idle = [a.name for a in problem.agents if not problem.can_act(a)]
    owned = [f"(:private {name} of-{name} - note)" for name in idle]
    return domain, problem_text(
        problem, [*named_agents(problem, False), *owned], problem.init, problem.goals
    )


def named_agents(problem: Problem, constants: bool, agent: str | None = None) -> Iterator[str]:
    """The agents that stand among the constants, or among the objects, and all else there."""
    if constants:
        yield f"{' '.join(LEVELS)} - level"
    else:
        yield f"{' '.join(problem.notes)} - note"
        if problem.has_empty_list:
            yield "- board"
    for item in problem.agents:
        if item.is_constant is not constants or (agent and item.is_private and agent != item.name):
            continue
        text = f"{item.name} - {item.kind}"
        owner = "" if agent else f"{item.name} "
        yield f"(:private {owner}{text})" if item.is_private else text


def domain_text(privacy: str, constants: Iterable[str], predicates: Iterable[str], actions) -> str:
    parts = {"types": [TYPES], "constants": constants, "predicates": predicates}
    sections = [f" (:{name} {'  '.join(lines)})" for name, lines in parts.items()]
    return "\n".join([
        "(define (domain radio)",
        f" (:requirements {privacy} :typing :negative-preconditions)",
        *(*sections, *actions, ")"),
    ])  # fmt: skip


def problem_text(problem: Problem, objects, init: Iterable[Atom], goals: Iterable[Atom]) -> str:
    return "\n".join([
        "(define (problem day) (:domain radio)",
        f" (:objects {'  '.join(objects)})",
        f" (:init {' '.join(map(shown, init))})",
        f" (:goal (and {' '.join(map(shown, goals))})))",
    ])  # fmt: skip


def described(texts: tuple[str, str]) -> Description:
    return read_texts(*(Source(f"{n}.pddl", t) for n, t in zip(("domain", "problem"), texts,
                                                               strict=True)))  # fmt: skip


def together(texts: dict[str, tuple[str, str]]) -> Description:
    """The description of a factored problem."""
    parts = [
        read_agent(agent, Source(f"domain-{agent}.pddl", d), Source(f"problem-{agent}.pddl", p))
        for agent, (d, p) in texts.items()
    ]
    return Description(Form.FACTORED, parts[0].name, tuple(p for d in parts for p in d.pairs))


SEND = Schema(
    "send",
    "node",
    (("?to", "node"), ("?m", "note")),
    needs=(("linked", "?me", "?to"), ("told", "?me", "?m"), ("charge", "?me", "high")),
    lacks=(),
    adds=(("told", "?to", "?m"),),
    deletes=(("charge", "?me", "high"),),
)


REST = Schema(
    "rest",
    "unit",
    (),
    needs=(("charge", "?me", "low"),),
    lacks=(),
    adds=(("charge", "?me", "high"),),
    deletes=(),
)


def network(*agents: Agent, schemas: tuple[Schema, ...] = (SEND, REST)) -> Problem:
    """Everybody is linked with everybody, and the first one knows the message."""
    names = [agent.name for agent in agents]
    init = [("linked", a, b) for a in names for b in names if a != b]
    init += (("charge", name, level) for name in names for level in ("low", "high"))
    goals = tuple(("told", a.name, "m1") for a in agents if not a.is_private)
    return Problem(agents, schemas, ("m1",), (*init, ("told", names[0], "m1")), goals, True)


def nodes(*names: str, is_constant: bool = True, is_private: bool = False) -> list[Agent]:
    return [Agent(name, "node", is_constant, is_private) for name in names]
