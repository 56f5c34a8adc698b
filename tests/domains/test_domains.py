"""The embedded problems: every generator in the registry, unasked."""

from __future__ import annotations

import hashlib
import re
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.central.validate.judge import validate
from tacit.central.validate.plan import plan_of
from tacit.domains import DOMAINS, Generated
from tacit.errors import InputError
from tacit.pddl.reader import read_texts
from tacit.pddl.source import Source

NAMES = list(DOMAINS)
SIZES = ["small", "medium", "large"]
SEEDS = range(8)
STEP = re.compile(r"\([a-z][a-z0-9_-]*( [a-z][a-z0-9_-]*)+\)")

# What small/0 must be on every Python and machine. If you change a generator, change its line.
DIGESTS = {
    "blocksworld": "afd645c819ce935f",
    "depot": "725c39db47b9d965",
    "driverlog": "7396fd2976017a2f",
    "elevators": "9157227d6810373f",
    "freight": "1f3a3a414a496b5e",
    "logistics": "dba08d2668b63d16",
    "rovers": "f0771860bc2caaa8",
    "secrets": "a867b2ca289f873f",
    "sensors": "aad041f52c86bcbd",
    "zenotravel": "a645f3f5fe4deb74",
}

CONSTANTS = {"lobby"}

every_domain = pytest.mark.parametrize("name", NAMES)
every_size = pytest.mark.parametrize("size", SIZES)
every_seed = pytest.mark.parametrize("seed", SEEDS)


@cache
def make(name: str, size: str = "small", seed: int = 0) -> Generated:
    return DOMAINS.get(name).generate(size, seed)


def body(problem: str) -> str:
    """A problem without its first line, which has the seed in it."""
    return problem.partition("\n")[2]


def section(problem: str, name: str) -> str:
    """The inside of a section of a problem as the generators lay it out."""
    return problem.partition(f"(:{name}")[2].partition("\n  (:")[0]


def atoms(text: str) -> list[str]:
    return re.findall(r"\([^()]+\)", text)


def steps(generated: Generated) -> list[list[str]]:
    return [step.strip("()").split() for step in generated.plan]


def test_the_domains_of_the_paper_are_there() -> None:
    seven = "blocksworld depot driverlog elevators logistics rovers zenotravel"
    assert {*seven.split(), "freight", "sensors", "secrets"} <= set(NAMES)


@every_domain
def test_has_three_sizes_that_grow(name: str) -> None:
    assert list(DOMAINS.get(name).sizes) == SIZES
    lengths = [len(make(name, size).problem) for size in SIZES]
    assert lengths == sorted(set(lengths))


@every_domain
def test_says_what_it_is(name: str) -> None:
    assert DOMAINS.get(name).about


@every_domain
@every_size
def test_same_seed_same_texts(name: str, size: str) -> None:
    assert make(name, size, 3) == DOMAINS.get(name).generate(size, 3)


@pytest.mark.parametrize("name", DIGESTS)
def test_texts_do_not_depend_on_the_python(name: str) -> None:
    made = make(name)
    text = "\n".join([made.domain, made.problem, *made.plan])
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == DIGESTS[name]


@every_domain
def test_seeds_differ(name: str) -> None:
    assert len({body(make(name, seed=seed).problem) for seed in SEEDS}) > len(SEEDS) / 2
    assert len({body(make(name, "medium", seed).problem) for seed in SEEDS}) == len(SEEDS)
    assert len({make(name, seed=seed).domain for seed in SEEDS}) == 1


@every_domain
@every_seed
@every_size
def test_witness_is_well_formed(name: str, size: str, seed: int) -> None:
    made = make(name, size, seed)
    actions = re.findall(r"\(:action (\S+)", made.domain)
    objects = {*re.findall(r"[\w-]+", section(made.problem, "objects")), *CONSTANTS}
    assert made.plan
    assert all(STEP.fullmatch(step) for step in made.plan)
    assert all(action in actions for action, *_ in steps(made))
    assert all(word in objects for _, *args in steps(made) for word in args)


@every_domain
@every_seed
@every_size
def test_agents_cooperate(name: str, size: str, seed: int) -> None:
    assert len({agent for _, agent, *_ in steps(make(name, size, seed))}) > 1


@every_domain
@every_seed
def test_goals_are_still_to_be_reached(name: str, seed: int) -> None:
    problem = make(name, seed=seed).problem
    assert set(atoms(section(problem, "goal"))) - set(atoms(section(problem, "init")))


@every_domain
def test_wrong_parameters_are_named(name: str) -> None:
    generator = DOMAINS.get(name)
    for parameter in generator.parameters:
        with pytest.raises(InputError, match=parameter):
            generator.generate({parameter: 0})
        with pytest.raises(InputError, match=parameter):
            generator.make(**{parameter: 0})


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_any_size_works_or_names_the_parameter(data: st.DataObject) -> None:
    generator = DOMAINS.get(data.draw(st.sampled_from(NAMES)))
    size = {name: data.draw(st.integers(1, 6)) for name in generator.parameters}
    seed = data.draw(st.integers(0, 99))
    try:
        plan, refusal = generator.generate(size, seed).plan, ""
    except InputError as error:
        plan, refusal = (), str(error)
    assert plan or any(f"'{name}' is {size[name]}" in refusal for name in size)


# The validator of the project says whether the witness is a plan. It shares no code with the
# generators.
@every_domain
@every_seed
@every_size
def test_witness_is_a_plan(name: str, size: str, seed: int) -> None:
    made = make(name, size, seed)
    read = read_texts(Source("domain.pddl", made.domain), Source("problem.pddl", made.problem))
    verdict = validate(read, plan_of(made.plan))
    assert verdict.valid, verdict.message
