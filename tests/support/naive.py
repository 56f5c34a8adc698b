"""A grounder nobody would ship: all bindings of all schemas, then a fixpoint over sets of names.

It follows the words of the semantics and shares nothing with the native grounder but the syntax
tree and the privacy rules, so that agreement means something.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from tacit.pddl.agents import NOBODY, Privacy, agents_of
from tacit.pddl.syntax import Atom, Description, Pair
from tacit.pddl.types import Types

Fact = tuple[str, ...]


@dataclass(frozen=True)
class Ground:
    agent: str
    name: str
    cost: int
    needs: frozenset[Fact]
    lacks: frozenset[Fact]
    adds: frozenset[Fact]
    deletes: frozenset[Fact]


def ground_all(description: Description) -> dict[str, object]:
    """A canonical picture of an unfactored problem's task, as `canonical` paints ours."""
    pair = description.pairs[0]
    agents = agents_of(description)
    privacy = Privacy(pair)
    init = {(a.name, *a.args) for a in pair.problem.init}
    init = {f for f in init if privacy.owner(f[0], f[1:]) != NOBODY}
    candidates = [
        a for schema in pair.domain.actions for a in instances(pair, schema, agents, privacy)
    ]
    reached, actions = fixpoint(candidates, init)
    acting = [s for s in pair.domain.actions if actors(pair, s, agents)]
    changed = {e.atom.name for s in acting for e in s.effect}
    publicly = {f[0] for s in acting for f in public_effects(pair, s, agents, privacy)}
    return picture(pair, agents, privacy, init, reached, actions, changed, publicly)


def actors(pair: Pair, schema, agents) -> list[str]:
    """The agents that fit a schema and have words for it."""
    types = Types(pair.domain.types)
    owners = {p.name: p.parameters[p.agent].types for p in pair.domain.predicates if p.private}
    atoms = [literal.atom for literal in (*schema.precondition, *schema.effect)]
    wanted = [schema.parameters[0].types, *(owners[a.name] for a in atoms if a.name in owners)]
    secrets = {o.name: o.owner for o in pair.objects if o.owner}
    whose = {secrets[arg] for atom in atoms for arg in atom.args if arg in secrets}
    return [
        o.name
        for o in pair.objects
        if o.name in agents and whose <= {o.name} and all(types.accepts(w, o.types) for w in wanted)
    ]


def public_effects(pair: Pair, schema, agents, privacy):
    """Public facts that the schema could change if every binding were possible."""
    types = Types(pair.domain.types)
    ranges = [
        [o.name for o in pair.objects if types.accepts(p.types, o.types)] for p in schema.parameters
    ]
    ranges[0] = actors(pair, schema, agents)
    for names in product(*ranges):
        binding = {p.name: name for p, name in zip(schema.parameters, names, strict=True)}
        for literal in schema.effect:
            fact = (literal.atom.name, *(binding.get(a, a) for a in literal.atom.args))
            if privacy.owner(fact[0], fact[1:]) is None:
                yield fact


def instances(pair: Pair, schema, agents, privacy):
    types = Types(pair.domain.types)
    values = {(a.name, *a.args): n for a, n in pair.problem.values}
    ranges = [
        [o for o in pair.objects if types.accepts(p.types, o.types)] for p in schema.parameters
    ]
    for objects in product(*ranges):
        agent = objects[0].name
        if agent not in agents or any(o.owner not in (None, agent) for o in objects):
            continue
        binding = {p.name: o.name for p, o in zip(schema.parameters, objects, strict=True)}

        def fact(atom: Atom, binding=binding) -> Fact:
            return (atom.name, *(binding.get(arg, arg) for arg in atom.args))

        facts = [fact(x.atom) for x in (*schema.precondition, *schema.effect) if x.atom.name != "="]
        if any(privacy.owner(f[0], f[1:]) not in (None, agent) for f in facts):
            continue
        equal = [x for x in schema.precondition if x.atom.name == "="]
        if any((len(set(fact(x.atom)[1:])) == 1) != x.positive for x in equal):
            continue
        terms = [t if isinstance(t, int) else values.get(fact(t)) for t in schema.cost]
        if None in terms:
            continue
        plain = [x for x in schema.precondition if x.atom.name != "="]
        adds = {fact(x.atom) for x in schema.effect if x.positive}
        yield Ground(
            agent,
            f"({' '.join((schema.name, *binding.values()))})",
            sum(terms) if pair.problem.minimize else 1,
            frozenset(fact(x.atom) for x in plain if x.positive),
            frozenset(fact(x.atom) for x in plain if not x.positive),
            frozenset(adds),
            frozenset({fact(x.atom) for x in schema.effect if not x.positive} - adds),
        )


def fixpoint(candidates, init):
    reached, falsified, actions = set(init), set(), []
    while True:
        possible = [
            a
            for a in candidates
            if a.needs <= reached and all(f not in init or f in falsified for f in a.lacks)
        ]
        if len(possible) == len(actions):
            return reached, actions
        actions = possible
        for a in actions:
            reached |= a.adds
            falsified |= a.deletes


def picture(pair, agents, privacy, init, reached, actions, changed, publicly):
    goals = [(x.positive, (x.atom.name, *x.atom.args)) for x in pair.problem.goal]
    negated = {f for a in actions for f in a.lacks if f in reached and f[0] in changed}
    negated |= {f for positive, f in goals if not positive and f in reached}
    touched = {f for a in actions for f in a.adds | a.deletes}

    def owner(fact):
        return privacy.owner(fact[0], fact[1:])

    kept = {f for f in reached if (f[0] in publicly if owner(f) is None else f in touched)}
    kept |= {f for f in negated if f[0] in changed}
    kept |= {f for positive, f in goals if positive and f not in reached}

    def show(fact, positive=True):
        text = f"({' '.join(fact)})"
        return text if positive else f"(not {text})"

    def shown(action):
        needs = {show(f) for f in action.needs & kept}
        needs |= {show(f, False) for f in action.lacks & negated}
        adds = {show(f) for f in action.adds & kept}
        adds |= {show(f, False) for f in action.deletes & negated}
        deletes = {show(f) for f in action.deletes & kept}
        deletes |= {show(f, False) for f in action.adds & negated}
        return needs, adds, deletes

    facts = {show(f): owner(f) for f in kept} | {show(f, False): owner(f) for f in negated}
    start = {show(f) for f in kept & init} | {show(f, False) for f in negated - init}
    goal = {show(f, positive): owner(f) for positive, f in goals}
    goal = {text: whose for text, whose in goal.items() if text in facts}
    public = {text for text, whose in facts.items() if whose is None}
    done: dict[str, object] = {
        "facts": public,
        "init": start & public,
        "goal": {text for text in goal if text in public},
    }
    for agent in agents:
        own = {text for text, whose in facts.items() if whose == agent}
        rows = set()
        for action in actions:
            if action.agent != agent:
                continue
            needs, adds, deletes = shown(action)
            is_public = bool((adds | deletes) & public)
            row = (action.name, is_public, action.cost)
            rows.add((*row, frozenset(needs), frozenset(adds), frozenset(deletes)))
        goals_seen = {t for t, whose in goal.items() if whose in (None, agent)}
        done[agent] = (rows, own, start & (own | public), goals_seen)
    return done


def canonical(instance) -> dict[str, object]:
    """The same picture of a loaded instance, with every name spelled out."""
    public = instance.public
    done: dict[str, object] = {
        "facts": {str(fact) for fact in public.facts},
        "init": {str(public.facts[n]) for n in public.init},
        "goal": {str(public.facts[n]) for n in public.goal},
    }
    for agent in instance.agents:
        task = instance.local(agent)

        def names(facts, task=task):
            return frozenset(task.fact_name(f) for f in facts)

        rows = {
            (a.name, a.is_public, a.cost, names(a.needs), names(a.adds), names(a.deletes))
            for a in task.actions
        }
        own = {task.fact_name(f) for f in task.private_facts}
        done[agent] = (rows, own, set(names(task.init)), set(names(task.goal)))
    return done
