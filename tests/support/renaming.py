"""Private names under other names: what crosses must not change by a byte."""

from __future__ import annotations

import random
import re
from dataclasses import replace

from msgspec.structs import replace as replace_option

from tacit.central.instance import Instance
from tacit.central.session import Session
from tacit.pddl.agents import agents_of
from tacit.pddl.syntax import Description
from tacit.public.protocol.transcript import Transcript
from tacit.public.run_options import RunOptions
from tacit.public.settings import Harden, Settings
from tacit.solvers.limits import Limits

# Private words that are part of the language or of the problem's public text.
KEYWORDS = {"and", "not", "object", "define", "domain", "problem", "increase", "either"}


LIMITS = Limits(20, 12)


def private_words(description: Description) -> set[str]:
    """Names that nobody else has to know: private objects and predicates, and actions."""
    words: set[str] = set()
    public: set[str] = set(agents_of(description)) | KEYWORDS
    for pair in description.pairs:
        words |= {item.name for item in pair.objects if item.private}
        words |= {p.name for p in pair.domain.predicates if p.private}
        words |= {a.name for a in pair.domain.actions}
        public |= {item.name for item in pair.objects if not item.private}
        public |= {p.name for p in pair.domain.predicates if not p.private}
        public |= {t.name for t in pair.domain.types}
        public |= {f.name for f in pair.domain.functions}
        public |= {pair.domain.name, pair.problem.name}
    return words - public


def renaming(words: set[str], rng: random.Random) -> dict[str, str]:
    """New names of different lengths that sort otherwise and occur nowhere by chance."""
    order = sorted(words)
    rng.shuffle(order)
    return {
        word: f"{rng.choice('abkmz')}{'q' * rng.randint(1, 9)}{rng.randrange(10**9, 10**10)}w{n}"
        for n, word in enumerate(order)
    }


def rename(text: str, names: dict[str, str]) -> str:
    longest_first = sorted(names, key=len, reverse=True)
    pattern = rf"(?<![\w?:-])({'|'.join(map(re.escape, longest_first))})(?![\w-])"
    return re.sub(pattern, lambda match: names[match.group()], text)


def transcripts(
    description: Description,
    ranking: str = "m3",
    choice: Settings = Settings(),  # noqa: B008
    solver: str = "",
) -> list[Transcript]:
    """What crossed while grounding, while planning with several budgets, and online; without a
    solver, in the projection and by default.
    """
    instance = Instance(description, {})
    options = RunOptions(solver or "projection", ranking, drive="roundrobin", record=bool(solver))
    session = Session(instance, choice, options)
    limits = LIMITS if choice.uses_repair else Limits()
    if Harden.SECURE in choice.harden:
        limits = replace(limits, evaluations=1_000)  # there is no other end without a plan
    for k in sorted({0, 1, session.largest // 2, session.largest}):
        result = session.at(k, limits)
    options = replace_option(options, solver=solver or RunOptions().solver, record=True)
    online = Session(instance, choice, options, online=True).online(limits)
    return [instance.transcript, result.transcript, online.transcript]


def payloads(found: list[Transcript]) -> list[tuple[str, str, bytes]]:
    return [(f.sender, f.receiver, f.payload) for t in found for f in t.frames]


def check_renaming(
    texts: dict[str | None, tuple[str, str]],
    read_all,
    seed: int,
    ranking: str = "m3",
    choice: Settings = Settings(),  # noqa: B008
    solver: str = "",
) -> None:
    """`texts` per agent, or under None for all; every agent's are renamed in their own way."""
    before = payloads(transcripts(read_all(texts), ranking, choice, solver))
    assert before
    rng = random.Random(seed)
    secret: set[str] = set()
    done = {}
    for agent, (domain, problem) in texts.items():
        words = private_words(read_all({agent: (domain, problem)}))
        assert words
        names = renaming(words, rng)
        secret |= set(names.values())
        done[agent] = (rename(domain, names), rename(problem, names))
    assert done != texts
    after = payloads(transcripts(read_all(done), ranking, choice, solver))
    assert after == before
    joined = b"\n".join(payload for _, _, payload in after)
    assert not [name for name in secret if name.encode() in joined]
