"""An audit as plain data, for programs, and as lines, for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from tacit.audit.holder import AgentAudit, Audit, describe, describe_achiever
from tacit.audit.inference import Inferred
from tacit.audit.traffic import Traffic
from tacit.public.disclosure import PublicEdge
from tacit.public.task import PublicAction


def as_dict(found: Audit) -> dict[str, Any]:
    """All that is known, by names where there are any and otherwise by numbers."""
    traffic = found.traffic
    return {
        "holders": list(traffic.holders),
        "started": traffic.started,
        "frames": len(traffic.frames),
        "whole": traffic.is_whole,
        "k": found.k,
        "clean": found.is_clean,
        "agents": {name: _agent(traffic, about) for name, about in found.agents.items()},
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
        "rounds": {"grounding": known.rounds, "layers": len(known.layers)},
        "public_actions": [_action(traffic, a) for a in part.actions] if part else [],
        "tokens": known.tokens,
        "private_goals": bool(part and part.has_private_goal),
        "private_actions_have_public_preconditions": bool(part and part.has_public_preconditions),
        "dependencies": known.total,
        "bounded": known.bounded,
        "asked": known.budget,
        "edges": [_edge(edge) for edge in known.edges],
        "known_threats": [_edge(edge) for edge in known.known],
        "free_edges": [_edge(edge) for edge in known.free],
        "repairs": {
            "threats": [_edge(edge) for _, edge in known.threats],
            "restored": [list(item.needed_by) for _, item in known.restored],
            "prefixes": [
                {"kind": scope.value, "steps": [[step.agent, step.action] for step in steps]}
                for scope, steps in known.prefixes
            ],
        },
        "plans": {
            "confirmed": len(known.plans),
            "failed": known.failures,
            "replanned": known.replanned,
            "traced_steps": known.traced,
        },
        "jointly_reached": [named_facts(traffic, answer.news) for answer in known.jointly_reached],
        "can_finish": known.can_finish,
        "states": _states(about),
        "private_actions_in_a_row": known.spacing // 10 if known.spacing > 1_000 else None,
        "inferred": [_inferred(item) for item in about.inferred],
        "hints": [_inferred(item) for item in about.hints],
    }


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
    """What was shown at most, where there are no findings."""
    edges = _count(len(about.knowledge.edges), "edge")
    repairs = _count(about.knowledge.repairs, "repair")
    text = f"nothing was shown beyond {edges} and {repairs}."
    if about.inferred:
        are = "are" if about.checked_with.endswith("record") else "may be"
        follow = "follows" if len(about.inferred) == 1 else "follow"
        text += f" {len(about.inferred)} more {follow}, and {are} among those it sent to others."
    return f"{text} Compared with {about.checked_with}." if about.checked_with else text


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
        "dependencies in all": f"{known.total} or more" if known.bounded else known.total,
        "most edges asked for": known.budget,
        "edges disclosed": len(known.edges),
        "threats known to all": len(known.known),
        "uncounted initial edges": len(known.free),
        "repairs: threats": len(known.threats),
        "repairs: restored tokens": len(known.restored),
        "repairs: prefixes": len(known.prefixes),
        "plans it can execute": len(known.plans),
        "plans it cannot execute": known.failures,
        "plans it changed": known.replanned,
        "facts jointly reached": sum(len(answer.news) for answer in known.jointly_reached),
        "states it sent": states.sent,
        "its private states seen": states.indices,
        "states that can be linked": states.linkable,
        "states explained by edges": states.explained,
        "states from elsewhere": states.elsewhere,
        "states not checked": states.unchecked,
        "dependencies inferred": len(about.inferred),
        "hints, whatever k is": len(about.hints),
    }
    return {what: "?" if value is None else str(value) for what, value in rows.items()}


def in_detail(traffic: Traffic, about: AgentAudit) -> Iterator[str]:
    """What is known of one agent, a line each."""
    known = about.knowledge
    for action in known.published.actions if known.published else ():
        yield f"action {action.id}: {_in_line(traffic, action)}"
    for what, edges in (
        ("disclosed", known.edges),
        ("known to all", known.known),
        ("uncounted", known.free),
        ("repair", [edge for _, edge in known.threats]),
    ):
        for edge in edges:
            verb = "achieves" if edge.positive else "deletes"
            yield f"{what}: {describe_achiever(edge.achiever)} {verb} token {edge.token}"
    for _, token in known.restored:
        users = ", ".join(map(str, token.needed_by))
        yield f"repair: a token that holds initially is needed by actions {users}"
    for _, steps in known.prefixes:
        shown = ", ".join(f"{step.agent} {step.action}" for step in steps)
        yield f"repair: these steps cannot be executed first: {shown}"
    for item in about.inferred:
        yield f"inferred from a {item.evidence}: {describe(item)}"
    for item in about.hints:
        yield f"hint from {item.evidence}: {describe(item)}"


def _in_line(traffic: Traffic, action: PublicAction) -> str:
    parts = {
        "needs": named_facts(traffic, action.needs),
        "tokens": action.tokens,
        "adds": named_facts(traffic, action.adds),
        "deletes": named_facts(traffic, action.deletes),
    }
    texts = (f"{what} {' '.join(map(str, items))}" for what, items in parts.items() if items)
    return "; ".join(texts)
