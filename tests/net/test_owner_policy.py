"""An owner's policy: what it bounds, what it refuses, and what is wrong with one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.hosts import play, small

from tacit.cli.main import run as tacit_run
from tacit.errors import InputError
from tacit.net.config import Outputs, config_of, convert, own_weights
from tacit.net.owner_policy import parse_policy, strictest
from tacit.party.bounds import Bounds
from tacit.policy import POLICY
from tacit.public.protocol.link import Terms

DOCS = Path(__file__).parents[2] / "docs" / "network.md"
EXAMPLE = re.search(r"```toml\n(# policy\.toml.*?)```", DOCS.read_text(), re.DOTALL)


def config(tmp_path: Path, policy: str | None, peers=("b", "c"), **tables):
    """An agent a that is started with this policy beside its key."""
    keys = tmp_path / "keys"
    keys.mkdir(exist_ok=True)
    if policy is not None:
        (keys / "policy.toml").write_text(policy)
    own = {"address": "h:1", "domain": "d", "problem": "p", "cert": "x", "key": "keys/a.key"}
    agents = {"a": own | tables.pop("own", {})} | {peer: {"address": "h:2"} for peer in peers}
    return config_of(convert({"agents": agents, "ca": "x", **tables}), "a", tmp_path, Outputs())


def test_a_run_obeys_the_strictest_that_its_members_need(tmp_path):
    policy = "max_k = 12\nmax_answers = 9\n[peers.B]\nmax_k = 4\n[peers.c]\nmax_answers = 2\n"
    found = config(tmp_path, policy)
    assert found.bounds == Bounds(edges=4, repairs=2)
    assert found.lasting_bounds("b") == Bounds(edges=4, repairs=9)
    assert found.lasting_bounds("c") == Bounds(edges=12, repairs=2)
    assert config(tmp_path, policy, peers=["c", "d"]).bounds == Bounds(edges=12, repairs=2)
    stricter = config(tmp_path, policy, limits={"max_k": 3})
    assert stricter.bounds.edges == stricter.lasting_bounds("c").edges == 3
    assert config(tmp_path, policy, limits={"max_k": "all"}).bounds.edges == 4
    assert strictest([]) == Bounds()


def test_a_bound_of_the_policy_will_do_to_start_with(tmp_path):
    with pytest.raises(InputError, match="no bound on what it discloses"):
        config(tmp_path, "max_answers = 1\n")
    with pytest.raises(InputError, match="no bound on what it discloses"):
        config(tmp_path, "[peers.b]\nmax_k = 1\n")  # and none for c
    singly = POLICY.repair.single_answers  # in a run, unless the owner chose a number
    assert config(tmp_path, "max_k = 1\n").bounds == Bounds(edges=1, repairs=singly)
    assert config(tmp_path, 'max_k = "all"\n').bounds == Bounds(repairs=singly)
    with pytest.raises(InputError, match="a budget is in prices"):
        config(tmp_path, "budget = 5\n")


def test_a_k_that_was_agreed_on_lasts_unless_the_owner_chose_a_bound(tmp_path):
    def bound(**tables):
        return config(tmp_path, None, **tables).lasting_bounds("b").edges

    assert bound(terms={"k": 4}) == 4
    assert bound(terms={"k": 4}, limits={"max_k": 9}) == 9
    assert bound(terms={"k": 4}, limits={"max_k": "all"}) is None
    (tmp_path / "keys" / "policy.toml").write_text("max_k = 6\n")
    assert bound(terms={"k": 4}) == 6


def test_the_ledger_is_beside_the_key_unless_said_otherwise(tmp_path):
    terms = {"terms": {"k": 1}}
    assert config(tmp_path, None, **terms).ledger == tmp_path / "keys" / "ledger"
    assert config(tmp_path, None, own={"ledger": "x"}, **terms).ledger == tmp_path / "x"
    assert config(tmp_path, None, own={"ledger": False}, **terms).ledger is None


@pytest.mark.parametrize(
    ("policy", "terms", "what"),
    [
        ('solver = "projection"', {}, "policy.toml:2: this run has solver auto"),
        ('solver = ["mafs", "projection"]', {}, "allows mafs or projection"),
        ('threats = "none"', {}, "this run has threats on-demand; the policy allows none"),
        ("change_over = false", {}, "this run has change_over true"),
        ("max_repairs = 200", {}, "this run has max_repairs 10000; the policy allows at most 200"),
        ("k = 3", {}, "this run has k without a bound"),
        ("k = 3", {"k": 4}, "allows at most 3"),
        ("time_limit = 60", {}, "time_limit without a bound"),
        ('harden = "fresh"', {"harden": "once"}, "this run has harden once; .* at least fresh"),
        ("merge = true", {"merge": False}, "this run has merge false"),
    ],
)
def test_terms_beyond_the_policy_are_refused_before_anything_is_said(tmp_path, policy, terms, what):
    for head in ("[allowed]", "[peers.b.allowed]"):
        with pytest.raises(InputError, match=what):
            config(tmp_path, f"{head}\n{policy}\n", limits={"max_k": 1}, terms=terms)
    config(tmp_path, f"[peers.d.allowed]\n{policy}\n", limits={"max_k": 1}, terms=terms)


def test_secure_search_hides_what_fresh_and_once_hide(tmp_path):
    for least in ("fresh", "once", "fresh,once", "secure"):
        policy = f'[allowed]\nharden = "{least}"\n'
        config(tmp_path, policy, limits={"max_k": 1}, terms={"harden": "secure"})
    with pytest.raises(InputError, match="at least secure"):
        config(tmp_path, policy, limits={"max_k": 1}, terms={"harden": "fresh,once"})


def test_a_peers_values_take_the_place_of_the_general_ones(tmp_path):
    policy = (
        '[allowed]\nsolver = "projection"\n[peers.b.allowed]\nsolver = ["auto", "projection"]\n'
    )
    tables = {"limits": {"max_k": 1}}
    config(tmp_path, policy, peers=["b"], **tables)
    with pytest.raises(InputError, match="solver auto"):
        config(tmp_path, policy, peers=["b", "c"], **tables)


@pytest.mark.parametrize(
    ("text", "where", "hint"),
    [
        ("\nmax_kk = 3\n", "2: max_kk: there is no such key", "did you mean 'max_k'"),
        ("max_k = -1\n", "1: max_k: -1 is no bound", 'or "all"'),
        ("max_answers = 'all'\n", "1: max_answers: 'all' is no bound", "whole number from 0"),
        ("[allowed]\nsolvers = 'auto'\n", "2: allowed.solvers: there is no", "mean 'solver'"),
        ("[allowed]\nsolver = 'autoo'\n", "2: allowed.solver: there is no solver", "mean 'auto'"),
        ("[allowed]\nthreats = 'nome'\n", "2: allowed.threats: 'nome' is no value", "mean 'none'"),
        ("[allowed]\nharden = 'frech'\n", "2: allowed.harden: there is no", "mean 'fresh'"),
        ("[allowed]\nsolver = []\n", "2: allowed.solver: nothing is allowed", "name a value"),
        ("[allowed]\nmerge = 'no'\n", "2: allowed.merge: 'no' is no value", "true or false"),
        ("[allowed]\nk = 'all'\n", "2: allowed.k: 'all' is no bound", "a number"),
        ("[[never]]\nfct = '(x)'\n", "2: never[1].fct: there is no", "mean 'fact'"),
        ("[[never]]\nfact = '(x)'\n[[never]]\n", "3: never[2]: a rule needs", "as fact ="),
        ("[peers.b]\n\nmaxk = 1\n", "3: peers.b.maxk: there is no", "mean 'max_k'"),
        ("[peers]\nb = 3\n", "2: peers.b: expected a table", ""),
        ("[peers.b]\n[peers.B]\n", "peers: two peers are called the same", ""),
        ("never = 3\n", "1: never: expected a list", ""),
        ("max_k = \n", "this is not TOML", ""),
    ],
)
def test_mistakes_are_named_with_their_place(text, where, hint):
    with pytest.raises(InputError) as caught:
        parse_policy(text, "policy.toml")
    said = str(caught.value)
    assert said.startswith("policy.toml:")
    assert where in said
    assert hint in said


def test_all_mistakes_are_reported_at_once():
    with pytest.raises(InputError) as caught:
        parse_policy("max_kk = 3\n[allowed]\nsolvers = 'x'\n[[never]]\n")
    assert len(caught.value.diagnostics) == 3


def test_never_rules_add_up_and_count_before_prices(tmp_path):
    policy = '[[never]]\nfact = "(at *)"\n[[peers.b.never]]\naction = "(load *)"\n'
    (tmp_path / "prices.toml").write_text('[a]\n[[a.rules]]\nfact = "(at *)"\nprice = 3\n')
    tables = {"limits": {"max_k": 1}, "own": {"weights": "prices.toml"}}
    found = own_weights(config(tmp_path, policy, **tables))
    assert [rule.price for rule in found.of("a").rules] == [3, None, None]
    tables = {"limits": {"max_k": 1}}
    alone = own_weights(config(tmp_path, policy, peers=["c"], **tables))
    assert [rule.fact for rule in alone.of("a").rules] == ["(at *)"]
    replan = {"limits": {"max_k": "all"}, "terms": {"extension": "replan"}}
    replanning = config(tmp_path, policy, **replan)
    with pytest.raises(InputError, match="'never' cannot be guaranteed with extension 'replan'"):
        own_weights(replanning)
    (tmp_path / "keys" / "policy.toml").unlink()
    assert own_weights(config(tmp_path, None, **tables)) is None


def test_a_never_rule_holds_in_a_run(tmp_path):
    made = small("logistics", tmp_path, terms=Terms("projection"), secret="n")
    agent = made.names[0]
    policy = parse_policy('[[never]]\nfact = "*"\n', "policy.toml")
    made.change(agent, policy=policy)
    found = play({name: made.host(name) for name in made.names})
    assert found[agent].ledger.counts(agent).disclosed == 0
    assert found[agent].no_more


def test_a_misspelled_peer_is_a_warning(tmp_path):
    found = config(tmp_path, "max_k = 1\n[peers.partnr]\n", peers=["partner", "c"])
    (doubt,) = found.policy.doubts(list(found.peers))
    assert "is 'partner' meant?" in doubt
    assert not found.policy.doubts(["c"])


def test_the_example_of_the_docs_is_a_policy():
    assert EXAMPLE, "docs/network.md has an example"
    policy = parse_policy(EXAMPLE[1])
    assert policy.bounds("b") != policy.bounds("c")
    assert policy.never(["b"]) != policy.never(["c"]) != ()
    assert policy.of("b").allowed["solver"].values == ("projection",)


def test_an_agent_whose_policy_forbids_the_terms_ends_at_once(tmp_path, capsys):
    (tmp_path / "policy.toml").write_text('max_k = 3\n[allowed]\nsolver = "projection"\n')
    paths = [f"--{part}={tmp_path / part}" for part in ("domain", "problem", "cert", "key", "ca")]
    code = tacit_run(["agent", "--name=a", "--listen=127.0.0.1:1", "--peer=b=h:1", *paths])
    assert code == 31
    assert "the policy allows projection" in capsys.readouterr().err
