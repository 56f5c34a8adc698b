"""Declarations shared by domain and problem files, or grouped in blocks: names, objects, …"""

from __future__ import annotations

from tacit.pddl.report import Mistake, Report
from tacit.pddl.sexpr import Group, Node, Word, need_group, need_name
from tacit.pddl.syntax import Form, Function, Object, Predicate, Typed
from tacit.pddl.typed import read_typed

PRIVATE = ":private"


def read_header(top: Group, kind: str) -> str:
    """The name in `(define (domain NAME) …)` or `(define (problem NAME) …)`."""
    head = top.items[1] if len(top.items) > 1 else None
    if isinstance(head, Group) and head.head == kind and len(head.items) == 2:
        return need_name(head.items[1], f"the name of the {kind}").text
    raise Mistake(head.at if head else top.at, f"expected '({kind} NAME)'")


def check_kind(top: Group, kind: str) -> None:
    """Raise if the file is a problem where a domain is expected, or the reverse."""
    head = top.items[1] if len(top.items) > 1 else None
    other = {"domain": "problem", "problem": "domain"}[kind]
    if isinstance(head, Group) and head.head == other:
        hint = "name the domain first and the problem second"
        raise Mistake(head.at, f"expected '({kind} NAME)': this is a {other} file", hint)


def section(node: Node) -> Group:
    """A node as a section of a file."""
    group = need_group(node, "a section '(:name …)'")
    if group.head is None or group.head[0] != ":":
        raise Mistake(group.at, "expected a section '(:name …)'")
    return group


def read_objects(items: list[Node], form: Form, report: Report) -> list[Object]:
    """`(:objects …)` or `(:constants …)`: public names, and names in `(:private …)` blocks."""
    done: list[Object] = []

    def keep(names: list[Node], owner: str | None) -> None:
        try:
            typed = read_typed(names, "an object", report=report)
        except Mistake as mistake:
            report.add(mistake)
            report.lose("object")
            return
        done.extend(Object(item.name, item.types, owner, item.at) for item in typed)

    keep([item for item in items if not _is_block(item)], None)
    for block in items:
        if isinstance(block, Group) and _is_block(block):
            owned = report.each([block], lambda b: _owner(b, form))
            for owner, names in owned:
                keep(names, owner)
            if not owned:
                report.lose("object")
    return sorted(done, key=lambda item: item.at)


def _is_block(node: Node) -> bool:
    return isinstance(node, Group) and node.head == PRIVATE


def _owner(block: Group, form: Form) -> tuple[str, list[Node]]:
    if form is Form.FACTORED:
        return "", block.items[1:]
    if len(block.items) < 2:
        raise Mistake(block.at, "expected '(:private AGENT object - type …)'")
    owner = need_name(block.items[1], "the agent that owns these objects")
    following = block.items[2] if len(block.items) > 2 else None
    if isinstance(following, Word) and following.text == "-":
        raise Mistake(
            owner.at,
            f"expected the agent that owns these objects before '{owner.text}'",
            "write '(:private AGENT object - type …)'; blocks without an agent belong to the "
            "factored form (':factored-privacy')",
        )
    return owner.text, block.items[2:]


def block_agent(group: Group) -> tuple[Typed, list[Node]]:
    """`(:private ?agent - type …)`: the variable, and the predicates that follow it."""
    count = next((n for n, item in enumerate(group.items) if isinstance(item, Group)), None)
    if count == 3:  # ?agent - (either …)
        count = 4
    agents = read_typed(group.items[1:count], "the agent's variable", variables=True)
    if len(agents) != 1:
        raise Mistake(
            group.at,
            "expected '(:private ?agent - TYPE (predicate …) …)'",
            "a block without an agent belongs to the factored form (':factored-privacy')",
        )
    return agents[0], group.items[count:] if count is not None else []


def read_predicate(group: Group, private: bool, agent: Typed | None) -> Predicate:
    """`(name ?x - type …)`, which has an agent parameter if it is in that agent's block."""
    name = need_name(group.items[0] if group.items else group, "the name of a predicate")
    parameters = tuple(read_typed(group.items[1:], "a parameter", variables=True))
    position = None
    if agent is not None:
        names = [p.name for p in parameters]
        if agent.name not in names:
            raise Mistake(
                name.at,
                f"private predicate '{name.text}' does not mention its agent '{agent.name}'",
                f"give it a parameter '{agent.name}', so that every fact of it has one owner",
            )
        position = names.index(agent.name)
    return Predicate(name.text, parameters, private, position, group.at)


def read_functions(items: list[Node]) -> list[Function]:
    """`(name ?x - type …) - number …`."""
    done: list[Function] = []
    for node in items:
        if isinstance(node, Word):
            if node.text not in ("-", "number"):
                raise Mistake(node.at, f"expected a function '(name …)', found '{node.text}'")
            continue
        name = need_name(node.items[0] if node.items else node, "the name of a function")
        parameters = tuple(read_typed(node.items[1:], "a parameter", variables=True))
        done.append(Function(name.text, parameters, node.at))
    return done
