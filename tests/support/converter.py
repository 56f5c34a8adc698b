"""The files of the agents as a converter may write them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from support.conversion import (
    ME,
    PLACED,
    PREDICATES,
    Agent,
    Atom,
    Predicate,
    Problem,
    Schema,
    domain_text,
    fits,
    named_agents,
    problem_text,
    shown,
)

# An action of an agent's file: the schema, and where each argument of the schema stands here.
Meaning = tuple[str, tuple[int | None, ...]]


class Converter:
    """Writes the files of the agents; `meanings` says what their actions are in the other form.

    `way` is how actions are written where they can be written so.
    """

    def __init__(self, problem: Problem, rng: Random, way: str | None = None):
        self.problem, self._rng, self._way = problem, rng, way
        self.meanings: dict[str, dict[str, Meaning]] = {}

    def texts(self) -> dict[str, tuple[str, str]]:
        return {agent.name: self._files(agent) for agent in self.problem.agents}

    def _files(self, agent: Agent) -> tuple[str, str]:
        problem = self.problem
        meanings = self.meanings.setdefault(agent.name, {})
        declared = {p.name for p in PREDICATES if _may_own(p, agent)}
        actions = []
        for schema in problem.schemas:
            if fits(agent.kind, schema.actor) and declared.issuperset(a[0] for a in schema.atoms):
                name, text, order = self._action(schema, agent)
                meanings[name] = (schema.name, order)
                actions.append(text)
        predicates = [self._predicate(p, agent) for p in PREDICATES if p.name in declared]
        domain = domain_text(
            ":factored-privacy", named_agents(problem, True, agent.name), predicates, actions
        )
        objects = list(named_agents(problem, False, agent.name))
        if not problem.can_act(agent):
            objects.append(f"(:private of-{agent.name} - note)")
        return domain, problem_text(problem, objects, self._init(agent), self._goals(agent))

    def _predicate(self, predicate: Predicate, agent: Agent) -> str:
        names = [f"?x{n}" for n in range(len(predicate.types))]
        if predicate.owner is not None:
            first = next(n for n, t in enumerate(predicate.types) if fits(agent.kind, t))
            if first != predicate.owner or self._rng.random() < 0.5:
                names[predicate.owner] = "?agent"
        typed = (f"{n} - {t}" for n, t in zip(names, predicate.types, strict=True))
        text = shown((predicate.name, *typed))
        return text if predicate.owner is None else f"(:private {text})"

    def _action(self, schema: Schema, agent: Agent) -> tuple[str, str, tuple[int | None, ...]]:
        """Name and text of an action, and where the schema's arguments are; None is the agent."""
        count = len(schema.parameters)
        ways = list(_ways(schema, agent))
        way = self._way if self._way in ways else self._rng.choice(ways)
        if way == "first":
            text = schema.text(schema.name, [(ME, schema.actor), *schema.parameters])
            return schema.name, text, tuple(range(count + 1))
        if way == "last":
            text = schema.text(schema.name, [*schema.parameters, (ME, schema.actor)])
            return schema.name, text, (count, *range(count))
        name = schema.name
        if way == "named" or self._rng.random() < 0.5:
            name += self._rng.choice("_-") + agent.name
        text = schema.written_for(agent.name).text(name, schema.parameters)
        return name, text, (None, *range(count))

    def _init(self, agent: Agent) -> Iterator[Atom]:
        """What the agent has words for, and some that it has none for or that is not its own."""
        hidden = {a.name for a in self.problem.agents if a.is_private and a != agent}
        is_careful = self._rng.random() < 0.5
        for fact in self.problem.init:
            place = PLACED[fact[0]].owner
            is_others = place is not None and fact[1 + place] != agent.name
            if hidden.isdisjoint(fact) and not (is_careful and is_others):
                yield fact

    def _goals(self, agent: Agent) -> Iterator[Atom]:
        for goal in self.problem.goals:
            place = PLACED[goal[0]].owner
            if place is None or goal[1 + place] == agent.name:
                yield goal


def _may_own(predicate: Predicate, agent: Agent) -> bool:
    return predicate.owner is None or fits(agent.kind, predicate.types[predicate.owner])


def _ways(schema: Schema, agent: Agent) -> Iterator[str]:
    """How an action can be written so that it cannot be taken for another."""
    stem = schema.name.removesuffix(agent.name)
    is_named = stem != schema.name and not stem[-1:].isalnum()
    if not is_named and not schema.mentions(agent.name):
        yield "first"
        first = schema.parameters[0][1] if schema.parameters else schema.actor
        owners = {a[1 + PLACED[a[0]].owner] for a in schema.atoms if PLACED[a[0]].owner is not None}
        if ME in owners and not fits(agent.kind, first):
            yield "last"
    yield "named"
    if schema.mentions(ME):
        yield "written"


def in_terms_of_schemas(
    picture: dict[str, object], meanings: dict[str, dict[str, Meaning]]
) -> dict[str, object]:
    """A picture of a converted problem with its actions called as in the other form."""
    done = dict(picture)
    for agent, known in meanings.items():
        rows, *rest = picture[agent]

        def renamed(name: str, agent: str = agent, known: dict[str, Meaning] = known) -> str:
            head, *args = name[1:-1].split()
            schema, order = known[head]
            return shown((schema, *(agent if n is None else args[n] for n in order)))

        done[agent] = ({(renamed(row[0]), *row[1:]) for row in rows}, *rest)
    return done
