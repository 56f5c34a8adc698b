"""What a task is, whatever its things are called."""

from __future__ import annotations

from collections import Counter

from support.forms import factored
from support.naive import canonical
from tacit.central.instance import Instance
from tacit.pddl.reader import read_texts
from tacit.pddl.source import Source


def loaded(files: dict[str, str]) -> Instance:
    if "domain.pddl" in files:
        names = ("domain.pddl", "problem.pddl")
        return Instance(read_texts(*(Source(name, files[name]) for name in names)), {})
    agents = sorted(n.removeprefix("domain-").removesuffix(".pddl") for n in files if n[0] == "d")
    pairs = {a: (files[f"domain-{a}.pddl"], files[f"problem-{a}.pddl"]) for a in agents}
    return Instance(factored(pairs), {})


def shape(instance: Instance) -> Counter:
    """A ground task without names: how often there is a fact or action that looks like this.

    Facts are told apart by the actions that use them and actions by their facts, again and again.
    What holds for good is left out: how much of it is compiled away depends on predicates.
    """
    picture = canonical(instance)
    facts: dict[object, object] = {}
    actions: dict[object, object] = {}
    links: list[tuple[object, object, str]] = []
    for fact in picture["facts"]:
        facts[None, fact] = ("public", fact in picture["init"], fact in picture["goal"])
    for number, agent in enumerate(instance.agents):
        rows, own, init, goal = picture[agent]
        for fact in own:
            facts[agent, fact] = (number, fact in init, fact in goal)
        for name, is_public, cost, *relations in rows:
            actions[agent, name] = (number, is_public, cost)
            for kind, named in zip(("needs", "adds", "deletes"), relations, strict=True):
                for fact in named:
                    owner = agent if fact in own else None
                    links.append(((owner, fact), (agent, name), kind))
    changed = {fact for fact, _, kind in links if kind != "needs"}
    facts = {f: seen for f, seen in facts.items() if f in changed or seen[2] or not seen[1]}
    links = [link for link in links if link[0] in facts]
    for _ in range(8):
        seen = {node: [] for node in (*facts, *actions)}
        for fact, action, kind in links:
            seen[fact].append((kind, hash(actions[action])))
            seen[action].append((kind, hash(facts[fact])))
        for colours in (facts, actions):
            for node, colour in colours.items():
                colours[node] = (hash(colour), tuple(sorted(seen[node])))
    return Counter(map(hash, (*facts.values(), *actions.values())))
