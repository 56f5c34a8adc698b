"""Problems as syntax trees, in either form."""

from __future__ import annotations

from tacit.domains import DOMAINS
from tacit.pddl.reader import read_agent, read_texts
from tacit.pddl.source import Source
from tacit.pddl.syntax import Description, Form


def generated(domain: str, seed: int = 0, size: str = "small") -> Description:
    made = DOMAINS.get(domain).generate(size, seed)
    return read_texts(Source("domain.pddl", made.domain), Source("problem.pddl", made.problem))


def factored(texts: dict[str, tuple[str, str]]) -> Description:
    parts = [
        read_agent(agent, Source(f"domain-{agent}.pddl", d), Source(f"problem-{agent}.pddl", p))
        for agent, (d, p) in texts.items()
    ]
    return Description(Form.FACTORED, parts[0].name, tuple(p for d in parts for p in d.pairs))


def read(domain: str, problem: str) -> Description:
    return read_texts(Source("domain.pddl", domain), Source("problem.pddl", problem))
