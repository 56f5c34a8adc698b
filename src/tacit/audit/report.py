"""An audit as plain data, for programs, and as lines, for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from tacit.audit.holder import AgentAudit, Audit, describe, describe_achiever
from tacit.audit.inference import Inferred
from tacit.leakage.reading.traffic import Traffic
from tacit.public.disclosure import PublicEdge, RestoredToken
from tacit.public.ledger import Counts, Kind, Ledger, Prefix
from tacit.public.task import PublicAction

if TYPE_CHECKING:
    from tacit.audit.evidence import Evidence
    from tacit.leakage.measure import Leakage


def as_dict(found: Audit) -> dict[str, Any]:
    """All that is known, by names where there are any and otherwise by numbers."""
    traffic = found.traffic
    return {
        "holders": list(traffic.holders),
        "started": traffic.started,
        "frames": len(traffic.frames),
        "whole": traffic.is_whole,
        "mode": "offline" if traffic.is_offline else "online",
        "k": found.k,
        "ledger": found.ledger.as_json(found.kept),
        "clean": found.is_clean,
        "evidence": None if found.evidence is None else _evidence(found.evidence),
        "agents": {name: _agent(traffic, about) for name, about in found.agents.items()},
    }


def _evidence(found: Evidence) -> dict[str, Any]:
    return {
        "certificates_checked": found.has_ca,
        "findings": found.problems,
        "proved": [
            {
                "holder": proof.holder,
                "from": proof.way[0],
                "to": proof.way[1],
                "signed_by": proof.signer,
                "frames": proof.count,
                "proved": proof.proved,
                "unproved": proof.tail,
            }
            for proof in found.proofs
        ],
    }


def _agent(traffic: Traffic, about: AgentAudit) -> dict[str, Any]:
    known = about.knowledge
    part = known.published
    return {
        "clean": not about.findings,
        "compared_with": about.checked_with or None,
        "findings": [{"kind": f.kind, "text": f.text} for f in about.findings],
        "changes": list(known.changes),
        "needs_negated": list(known.negates),
        "grounding_turns": known.turns,
        "public_actions": [_action(traffic, a) for a in part.actions] if part else [],
        "tokens": known.tokens,
        "private_goals": bool(part and part.has_private_goal),
        "private_actions_have_public_preconditions": bool(part and part.has_public_preconditions),
        "private_goals_within_reach": known.can_finish[-1] if known.can_finish else None,
        "turns": {"passed": known.passed, "no_more": known.has_no_more},
        "edges": [_edge(edge) for edge in _edges(about, Kind.EDGE)],
        "known_threats": [_edge(edge) for edge in known.known],
        "free_edges": [_edge(edge) for edge in known.free],
        "recalled_edges": [_edge(edge) for edge in known.recalled],
        "repairs": {
            "threats": [_edge(edge) for edge in _edges(about, Kind.THREAT)],
            "restored": [list(token.needed_by) for token in _tokens(about)],
            "prefixes": [_prefix(prefix) for prefix in _prefixes(about)],
        },
        "received": {to: _counts(about.counts_to(to)) for to in about.receivers},
        "plans": {
            "confirmed": len(known.plans),
            "failed": known.failures,
            "replanned": known.replanned,
            "made_cheaper": known.responses,
            "weighed": known.sums,
            "traced_steps": known.traced,
        },
        "jointly_reached": [named_facts(traffic, facts) for facts in known.jointly_reached],
        "states": _states(about),
        "private_actions_in_a_row": known.spacing // 10 if known.spacing > 1_000 else None,
        "inferred": [_inferred(item) for item in about.inferred],
        "leakage": None if about.leakage is None else about.leakage.as_dict(),
    }


def _edges(about: AgentAudit, kind: Kind) -> list[PublicEdge]:
    return [item for item in about.entries(kind) if isinstance(item, PublicEdge)]


def _tokens(about: AgentAudit) -> list[RestoredToken]:
    return [item for item in about.entries(Kind.TOKEN) if isinstance(item, RestoredToken)]


def _prefixes(about: AgentAudit) -> list[Prefix]:
    return [item for item in about.entries(Kind.PREFIX) if isinstance(item, Prefix)]


def _prefix(prefix: Prefix) -> dict[str, Any]:
    return {
        "kind": "joint" if prefix.joint else "own",
        "for_good": prefix.for_good,
        "steps": [[step.agent, step.action] for step in prefix.steps],
    }


def _counts(counts: Counts) -> dict[str, int]:
    alike = {"alike": counts.alike} if counts.alike else {}
    return {"edges": counts.edges, **alike, "repairs": counts.repairs}


def _states(about: AgentAudit) -> dict[str, int]:
    states = about.states
    return {
        "sent": states.sent,
        "private_states": states.indices,
        "linkable": states.linkable,
        "explained": states.explained,
        "elsewhere": states.elsewhere,
        "unchecked": states.unchecked,
        "unexplained": len(states.unexplained),
        "steps_in_descents": states.steps.shown,
        "steps_passed_on": states.steps.passed_on,
        "actions_told_apart": states.steps.told_apart,
        "stored": about.knowledge.stored,
    }


def named_facts(traffic: Traffic, facts: Iterable[int]) -> list[str | int]:
    names = traffic.names
    if names is None:
        return list(facts)
    return [str(names.facts[n]) if n < len(names.facts) else n for n in facts]


def _action(traffic: Traffic, action: PublicAction) -> dict[str, Any]:
    return {
        "number": action.id,
        "cost": action.cost,
        "needs": named_facts(traffic, action.needs),
        "adds": named_facts(traffic, action.adds),
        "deletes": named_facts(traffic, action.deletes),
        "tokens": list(action.tokens),
    }


def _edge(edge: PublicEdge) -> dict[str, Any]:
    return {"achiever": edge.achiever, "token": edge.token, "positive": edge.positive}


def _inferred(item: Inferred) -> dict[str, Any]:
    text, achievers = describe(item), list(item.achievers)
    return {"token": item.token, "achievers": achievers, "from": item.evidence, "text": text}


# For people


def verdict(about: AgentAudit) -> str:
    """What was disclosed at most, where there are no findings."""
    edges, repairs = _count(about.counts.edges, "edge"), _count(about.counts.repairs, "repair")
    text = f"nothing was disclosed beyond {edges} and {repairs}."
    if about.kept is not None:
        text += f" It did not disclose {_count(about.kept, 'edge')}."
    if about.leakage is not None:
        certain, guessed = len(about.leakage.certain), len(about.leakage.guessed.pairs)
        text += f" Certain all the same: {_count(certain, 'edge')}; guessed: {guessed}."
    return f"{text} Compared with {about.checked_with}." if about.checked_with else text


def proved(found: Evidence) -> Iterator[str]:
    """What is proved by whose signature, and what is not."""
    for proof in found.proofs:
        sender, receiver = proof.way
        did = "sent" if proof.signer == sender else "received"
        if proof.proved:
            frames = f"Frames 0–{proof.proved - 1} from {sender} to {receiver}"
            yield f"{frames}: {did} as stated, signed by {proof.signer}."
        if proof.tail:
            tail = _count(proof.tail, "frame")
            yield f"Unproved, as no receipt follows: the last {tail} from {sender} to {receiver}."
    if not found.proofs:
        yield "There are no receipts: nothing here is proved."
    elif not found.has_ca:
        yield "Whose keys signed was not checked; --ca FILE does that."


def in_all(ledger: Ledger) -> str:
    """What all agents disclosed, in one line."""
    counts = ledger.per_agent().items()
    each = ", ".join(f"{agent} {own.edges} + {own.repairs}" for agent, own in counts)
    most = f"largest agent {ledger.largest}, sum over agents {ledger.sum}"
    counted = ", counting classes" if ledger.counts_classes else ""
    return f"On the ledger, edges + repairs: {each}; {most}{counted}."


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def in_short(about: AgentAudit) -> dict[str, str]:
    """How much is known of one agent."""
    known, states = about.knowledge, about.states
    part = known.published
    rows: dict[str, int | str | None] = {
        "public actions": len(part.actions) if part else None,
        "tokens": part.tokens if part else None,
        "private goals": ("yes" if part.has_private_goal else "no") if part else None,
        "edges disclosed": about.counts.edges,
        "threats known to all": len(known.known),
        "uncounted initial edges": len(known.free),
        "repairs: threats": len(about.entries(Kind.THREAT)),
        "repairs: restored tokens": len(about.entries(Kind.TOKEN)),
        "repairs: prefixes": len(about.entries(Kind.PREFIX)),
        "edges and repairs": about.counts.disclosed,
        "turns in which it passed": known.passed,
        'said "no more"': "yes" if known.has_no_more else 0,
        "plans it can execute": len(known.plans),
        "plans it cannot execute": known.failures,
        "plans it changed": known.replanned,
        "plans it made cheaper": known.responses,
        "sums that its private costs are in": known.sums,
        "facts jointly reached": sum(map(len, known.jointly_reached)),
        "states it sent": states.sent,
        "its private states seen": states.indices,
        "states that can be linked": states.linkable,
        "states explained by edges": states.explained,
        "public steps in descents": states.steps.shown,
        "steps passed on by others": states.steps.passed_on,
        "actions told apart by descents": states.steps.told_apart,
        "states from elsewhere": states.elsewhere,
        "states not checked": states.unchecked,
        "dependencies inferred": len(about.inferred),
        **_leakage(about.leakage),
    }
    return {what: "?" if value is None else str(value) for what, value in rows.items()}


def _leakage(found: Leakage | None) -> dict[str, int | str | None]:
    """What can be concluded beyond what was disclosed."""
    if found is None:
        return {}
    score, initial = found.guessed.score, found.initial
    rows: dict[str, int | str | None] = {
        "undisclosed edges that are certain": len(found.certain),
        "undisclosed edges guessed": len(found.guessed.pairs),
    }
    if score is not None:
        rows["guesses that are right"] = f"{score.right} of {score.undisclosed}"
        rows["precision and recall"] = f"{score.precision:.2f}, {score.recall:.2f}"
        rows["base rate and lift"] = f"{score.base_rate:.3f}, {score.lift:.1f}"
    if initial is not None:
        rows["initial edges, disclosed, certain"] = (
            f"{initial.edges}, {initial.disclosed}, {initial.certain}"
        )
    bits = found.bits_b
    return rows | {
        "classes of edges disclosed": found.classes,
        "bits of its states (metric A)": f"{found.bits_a:.3f}" if found.bits_a else 0,
        "bits of its graph (metric B)": f"{bits.learned:.1f} of {bits.all:.1f}",
        "share of these bits": f"{bits.share:.1%}",
        "sums with private costs": found.told.sums,
        "tokens said to be lost": found.told.lost_tokens,
    }


def in_detail(traffic: Traffic, about: AgentAudit) -> Iterator[str]:
    """What is known of one agent, a line each."""
    known = about.knowledge
    for action in known.published.actions if known.published else ():
        yield f"action {action.id}: {_in_line(traffic, action)}"
    for what, edges in (
        ("disclosed", _edges(about, Kind.EDGE)),
        ("known to all", list(known.known)),
        ("uncounted", list(known.free)),
        ("known from earlier runs", list(known.recalled)),
        ("repair", _edges(about, Kind.THREAT)),
    ):
        for edge in edges:
            verb = "achieves" if edge.positive else "deletes"
            yield f"{what}: {describe_achiever(edge.achiever)} {verb} token {edge.token}"
    for token in _tokens(about):
        users = ", ".join(map(str, token.needed_by))
        yield f"repair: token {token.token} holds initially and is needed by actions {users}"
    for prefix in _prefixes(about):
        shown = ", ".join(f"{step.agent} {step.action}" for step in prefix.steps)
        yield f"repair: these steps cannot be executed first: {shown}"
    for item in about.inferred:
        yield f"inferred from a {item.evidence}: {describe(item)}"
    if about.leakage is not None:
        yield from _concluded(about.leakage)


def _concluded(found: Leakage) -> Iterator[str]:
    for edge in sorted(found.certain):
        yield f"certain: {describe_achiever(edge.achiever)} achieves token {edge.token}"
    for action, token in sorted(found.guessed.pairs):
        yield f"guessed ({found.guessed.attack}): action {action} achieves token {token}"
    for source, bits in found.bits_b.sources.items():
        if bits > 0.0005:
            yield f"bits of its graph by {source}: {bits:.3f}"


def _in_line(traffic: Traffic, action: PublicAction) -> str:
    parts = {
        "needs": named_facts(traffic, action.needs),
        "tokens": action.tokens,
        "adds": named_facts(traffic, action.adds),
        "deletes": named_facts(traffic, action.deletes),
    }
    texts = (f"{what} {' '.join(map(str, items))}" for what, items in parts.items() if items)
    return "; ".join(texts)
