"""Files of prices: what they mean, and what is said of those that mean nothing."""

from __future__ import annotations

import pytest

import tacit
from tacit.errors import InputError
from tacit.party.disclosure.graph import INIT
from tacit.party.disclosure.prices import Prices
from tacit.party.disclosure.weights import (
    MOST,
    Weights,
    matches,
    parse_weights,
    pattern,
    read_weights,
)
from tacit.profile import profile
from tacit.public.settings import Rule, Settings

EXAMPLE = """
# prices
[truck1]
default = 2

[[truck1.rules]]
fact = "(at truck1 *)"
price = 7

[[truck1.rules]]
action = "(the initial state)"
fact = "(at truck1 pos1)"
price = "never"

["plane?"]
rules = [{ action = "(load-*)", price = 0 }]
"""


@pytest.fixture(scope="module")
def logistics():
    return tacit.load("logistics/small")


def fact_of(task, name):
    return next(f.number for f in task.private_facts if task.fact_name(f) == name)


def test_the_last_rule_that_matches_counts(logistics):
    weights = parse_weights(EXAMPLE, "example.toml")
    task = logistics.local("truck1")
    prices = Prices(task, weights, lenient=True)
    facts = [task.fact_name(f) for f in task.private_facts]
    at = next(name for name in facts if name.startswith("(at truck1"))
    assert prices.of([0], fact_of(task, at)) == 7
    other = next((name for name in facts if not name.startswith("(at truck1")), None)
    if other is not None:
        assert prices.of([0], fact_of(task, other)) == 2
    plane = Prices(logistics.local("plane1"), weights, lenient=True)
    assert plane.default == 1
    assert Prices(logistics.local("truck0"), weights, lenient=True).default == 1


def test_rules_of_all_tables_follow_each_other(logistics):
    text = """
    ["*"]
    default = 3
    rules = [{ fact = "*", price = "never" }]
    [truck1]
    default = 5
    rules = [{ action = "*", price = 4 }]
    """
    weights = parse_weights(text)
    assert weights.of("truck1").default == 5
    assert weights.of("truck0").default == 3
    for agent, price in (("truck1", 4), ("truck0", None)):
        task = logistics.local(agent)
        prices = Prices(task, weights)
        fact = task.private_facts[0].number
        public = next(n for n, shown in enumerate(task.arrays.is_public) if shown)
        assert prices.of([public], fact) == price
        assert prices.of([INIT], fact) == price


def test_the_dearest_of_actions_published_as_one_counts(logistics):
    task = logistics.local("truck1")
    public = [n for n, shown in enumerate(task.arrays.is_public) if shown][:3]
    names = [task.action_name(n) for n in public]
    text = "".join(
        f'[[truck1.rules]]\naction = "{name}"\nprice = {price}\n'
        for name, price in zip(names, ("1", "9", '"never"'), strict=True)
    )
    prices = Prices(task, parse_weights(text))
    fact = task.private_facts[0].number
    assert prices.of(public[:1], fact) == 1
    assert prices.of(public[:2], fact) == 9
    assert prices.of(public, fact) is None


@pytest.mark.parametrize(
    ("text", "name", "is_match"),
    [
        ("(at * depot)", "(at truck1 depot)", True),
        ("( AT   truck? depot )", "(at truck1 depot)", True),
        ("at truck1 depot", "(at truck1 depot)", True),
        ("(at *)", "(at truck1 depot)", True),
        ("*", "(at truck1 depot)", True),
        ("(at truck? dep)", "(at truck1 depot)", False),
        ("(at [t]ruck1 depot)", "(at truck1 depot)", False),
        ("not (at a b)", "(not (at a b))", True),
        ("(not (at a *))", "(not (at a b))", True),
        ("(at a.b)", "(at axb)", False),
    ],
)
def test_patterns(text, name, is_match):
    assert (pattern(text).fullmatch(name) is not None) == is_match


def test_agents_are_matched_by_name():
    assert matches("Truck*", "truck1")
    assert not matches("truck", "truck1")


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("[truck1", 1, "this is not TOML"),
        ("\n[a]\ndefault = 1.5", 2, "a.default: 1.5 is not a price"),
        ("[a]\ndefault = -1", 1, "-1 is not a price"),
        ("[a]\ndefault = true", 1, "True is not a price"),
        (f"[a]\ndefault = {MOST + 1}", 1, "is not a price"),
        ('[a]\ndefault = "Never"', 1, "'Never' is not a price"),
        ("[a]\ndefualt = 1", 1, "did you mean 'default'"),
        ("a = 1", 1, "a: expected a table of an agent"),
        ("[a]\nrules = 3", 1, "expected a list of rules"),
        ("[a]\nrules = [3]", 1, "a.rules[1]: expected a table"),
        ("[[a.rules]]\nprice = 3", 1, "needs an action, a fact, or both"),
        ('[[a.rules]]\nfact = "x"', 1, "a.rules[1]: a rule needs a price"),
        ("[[a.rules]]\nfact = 3\nprice = 1", 1, "expected a pattern"),
        ('[[a.rules]]\nfact = " "\nprice = 1', 1, "expected a pattern"),
        ('[[a.rules]]\nfacts = "x"\nprice = 1', 1, "did you mean 'fact'"),
        (
            '[[a.rules]]\nfact = "x"\nprice = 1\n\n[["a".rules]]\nfact = "x"\nprice = "no"',
            5,
            "a.rules[2].price: 'no' is not a price",
        ),
    ],
)
def test_mistakes_say_where_and_what(text, line, message):
    with pytest.raises(InputError) as found:
        parse_weights(text, "prices.toml")
    first = found.value.diagnostics[0]
    assert (first.file, first.line) == ("prices.toml", line)
    assert message in str(found.value)


def test_all_mistakes_are_reported_together():
    text = '[a]\ndefault = -1\n[[a.rules]]\nfact = "x"\n[b]\nnothing = 0\n'
    with pytest.raises(InputError) as found:
        parse_weights(text)
    assert len(found.value.diagnostics) == 3


def test_files_that_are_none(tmp_path):
    with pytest.raises(InputError, match="No such file"):
        read_weights(tmp_path / "none.toml")
    with pytest.raises(InputError, match="directory"):
        read_weights(tmp_path)
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="not UTF-8 text"):
        read_weights(binary)


def test_a_misspelled_pattern_is_an_error(logistics):
    text = '[[truck1.rules]]\naction = "(lode-truck *)"\nprice = "never"\n'
    with pytest.raises(InputError) as found:
        tacit.solve(logistics, weights=parse_weights(text, "w.toml"))
    shown = str(found.value)
    assert shown.startswith("w.toml:1: truck1.rules[1].action: agent 'truck1' has no action")
    assert "did you mean 'load-truck'?" in shown
    text = '[[truck1.rules]]\nfact = "(att *)"\nprice = 2\n'
    with pytest.raises(InputError, match="has no fact that"):
        tacit.solve(logistics, weights=parse_weights(text))


def test_a_pattern_that_matches_nothing_here_is_a_warning(logistics):
    text = '[[truck1.rules]]\nfact = "(at nowhere *)"\nprice = 2\n'
    prices = Prices(logistics.local("truck1"), parse_weights(text, "w.toml"))
    (warning,) = prices.warnings
    assert warning.startswith("w.toml:1: truck1.rules[1].fact: '(at nowhere *)' matches nothing")


def test_prices_of_nobody_are_an_error(logistics):
    with pytest.raises(InputError, match="'truck7', which is no agent here") as found:
        tacit.solve(logistics, weights=parse_weights("[truck7]\ndefault = 1\n"))
    assert "did you mean" in str(found.value)


def test_a_budget_needs_prices(logistics):
    with pytest.raises(InputError, match="a budget is in prices"):
        tacit.solve(logistics, budget=3)
    with pytest.raises(InputError, match="negative"):
        tacit.solve(logistics, budget=-3, weights=Weights(()))


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        (profile("paper"), "extension 'replan'"),
        (Settings(rule=Rule.PAIRWISE), "rule 'pairwise'"),
        (Settings(own_values=True), "one's own view"),
    ],
)
def test_never_is_refused_where_it_could_not_be_kept(logistics, settings, what):
    never = parse_weights('[truck1]\ndefault = "never"\n')
    with pytest.raises(InputError, match=what):
        tacit.solve(logistics, profile=settings, weights=never)
    prices = parse_weights("[truck1]\ndefault = 3\n")
    assert tacit.solve(logistics, profile=settings, weights=prices, k=4).outcome


def test_a_digest_is_of_the_prices_alone():
    one = parse_weights("[a]\ndefault = 2 # two\n", "one")
    two = parse_weights("\n[a]\ndefault=2", "two")
    assert one.digest == two.digest
    assert one.digest != parse_weights("[a]\ndefault=3").digest
