"""A transcript of forward search, read alone, shows disclosed edges only."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.explaining import explain_states
from support.forward import LIMITS, searching
from support.inside import transcript_of
from support.notes import quick
from support.problems import RELAY, SMALL, generated

from tacit.public.settings import Settings
from tacit.testing import problems


def test_a_transcript_shows_only_disclosed_edges():
    """From the transcript alone: every state is explained by public actions, from a state shown
    before it, whose tokens were given by disclosed edges, and no other token is ever said to hold.
    """
    explained = 0

    @quick(40)
    @given(problems(private_goals=False), st.integers(0, 3), st.integers(0, 6))
    @example(RELAY, 0, 6)
    def run(tiny, seed, k):
        nonlocal explained
        session = searching(tiny.load(), Settings(), seed)
        session.at(min(k, session.largest), LIMITS)
        explained += explain_states(session)

    run()
    assert explained >= 2


@pytest.mark.parametrize("domain", list(SMALL))
def test_transcripts_of_families_show_only_disclosed_edges(domain):
    explained = 0
    for seed in (1, 2, 3):
        session = searching(generated(domain, SMALL[domain][-1], seed))
        for k in (session.largest, session.largest // 2):
            transcript_of(session).frames.clear()
            session.at(k, LIMITS)
            explained += explain_states(
                session, transcript_of(searching(session.instance)), most=100
            )
    assert explained or domain == "zenotravel"  # there one plane does it all before it is told
