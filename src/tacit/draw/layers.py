"""Where to put the nodes of a layered graph, so that few lines cross and most run straight.

A graph is the sizes of its rows and, between each row and the next, pairs of places. Rows are
ordered by the barycentre method: each node goes to the mean place of its neighbours, row by row,
up and down; the order with the fewest crossings is kept. Then every node moves as near to the mean
of its neighbours as order and least distance allow, computed exactly by isotonic regression. A row
may have a node that is fixed at its end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Links = Sequence[tuple[int, int]]
FixedEnds = Mapping[int, int]
_NONE: FixedEnds = {}

SWEEPS = 12
LOOSE = 0.75
"""The least distance of neighbours, as a share of their distance if spread evenly."""


def arrange(
    sizes: Sequence[int], links: Sequence[Links], width: float, ends: FixedEnds = _NONE
) -> list[list[float]]:
    """Per row and node its x, from 0 to width; `links[r]` leads from row r to row r + 1.

    `ends` are, by row, nodes that are fixed at its end.
    """
    around = _neighbours(sizes, links)
    orders = _best_orders(sizes, links, around, ends)
    places = [_spread(order, width) for order in orders]
    for sweep in range(SWEEPS):
        rows = range(len(sizes)) if sweep % 2 else reversed(range(len(sizes)))
        for row in rows:
            places[row] = _settle(row, orders[row], places, around[row], width)
    return _stretch(places, width)


def crossings(links: Links, below: Sequence[float], above: Sequence[float]) -> int:
    """How many pairs of links cross, for given places of the nodes of two rows."""
    rank = {place: n for n, place in enumerate(sorted(set(above)), start=1)}
    tree = [0] * (len(rank) + 1)
    count = seen = 0
    ends: list[int] = []
    last: float | None = None
    for start, end in sorted((below[a], above[b]) for a, b in links):
        if start != last:
            seen += _put(tree, ends)
            ends, last = [], start
        count += seen - _below(tree, rank[end])
        ends.append(rank[end])
    return count


def _put(tree: list[int], ranks: list[int]) -> int:
    for rank in ranks:
        place = rank
        while place < len(tree):
            tree[place] += 1
            place += place & -place
    return len(ranks)


def _below(tree: list[int], rank: int) -> int:
    """How many are at this rank or below."""
    total = 0
    while rank:
        total += tree[rank]
        rank -= rank & -rank
    return total


Neighbours = list[list[list[tuple[int, int]]]]
"""Per row and node, its neighbours as (row, node)."""


def _neighbours(sizes: Sequence[int], links: Sequence[Links]) -> Neighbours:
    around: Neighbours = [[[] for _ in range(size)] for size in sizes]
    for row, pairs in enumerate(links):
        for a, b in pairs:
            around[row][a].append((row + 1, b))
            around[row + 1][b].append((row, a))
    return around


def _best_orders(
    sizes: Sequence[int], links: Sequence[Links], around: Neighbours, ends: FixedEnds
) -> list[list[int]]:
    ranks = [[float(n) for n in range(size)] for size in sizes]
    for row, node in ends.items():
        for other in range(node + 1, sizes[row]):
            ranks[row][other] -= 1
        ranks[row][node] = float(sizes[row] - 1)
    best = [list(row) for row in ranks]
    fewest = _all_crossings(links, ranks)
    for sweep in range(SWEEPS):
        upward = sweep % 2 == 0
        for row in range(len(sizes)) if upward else reversed(range(len(sizes))):
            towards = row - 1 if upward else row + 1
            _reorder(row, towards, ranks, around[row], ends.get(row))
        count = _all_crossings(links, ranks)
        if count < fewest:
            fewest, best = count, [list(row) for row in ranks]
    return [sorted(range(len(row)), key=row.__getitem__) for row in best]


def _all_crossings(links: Sequence[Links], ranks: Sequence[Sequence[float]]) -> int:
    return sum(crossings(pairs, ranks[r], ranks[r + 1]) for r, pairs in enumerate(links))


def _reorder(
    row: int,
    towards: int,
    ranks: list[list[float]],
    around: list[list[tuple[int, int]]],
    end: int | None,
) -> None:
    """Put a row in the order of the mean ranks of its neighbours in one other row."""
    wanted: list[tuple[bool, float, float, int]] = []
    if not 0 <= towards < len(ranks):
        return
    scale = len(ranks[row]) / max(1, len(ranks[towards]))
    for node, near in enumerate(around):
        places = [ranks[towards][n] * scale for r, n in near if r == towards]
        own = ranks[row][node]
        mean = sum(places) / len(places) if places else own
        wanted.append((node == end, mean, own, node))
    for rank, (_, _, _, node) in enumerate(sorted(wanted)):
        ranks[row][node] = float(rank)


def _spread(order: Sequence[int], width: float) -> list[float]:
    places = [0.0] * len(order)
    for rank, node in enumerate(order):
        places[node] = width * (rank + 0.5) / len(order)
    return places


def _settle(
    row: int,
    order: Sequence[int],
    places: Sequence[Sequence[float]],
    around: Sequence[Sequence[tuple[int, int]]],
    width: float,
) -> list[float]:
    """Every node of a row as near to the mean of its neighbours as order and distance allow."""
    gap = LOOSE * width / max(1, len(order))
    room = width - gap * max(0, len(order) - 1)
    wanted = []
    for rank, node in enumerate(order):
        near = [places[r][n] for r, n in around[node]]
        mean = sum(near) / len(near) if near else places[row][node]
        wanted.append(mean - gap * rank)
    result = [0.0] * len(order)
    for rank, (node, place) in enumerate(zip(order, _isotonic(wanted), strict=True)):
        result[node] = min(max(place, gap / 2), room - gap / 2) + gap * rank
    return result


def _stretch(places: Sequence[Sequence[float]], width: float) -> list[list[float]]:
    """Use the full width."""
    low = min(x for row in places for x in row)
    high = max(x for row in places for x in row)
    if high - low < 1:
        return [[width / 2 for _ in row] for row in places]
    return [[width * (x - low) / (high - low) for x in row] for row in places]


def _isotonic(values: Sequence[float]) -> list[float]:
    """The nearest non-decreasing sequence: pool neighbours that are out of order."""
    blocks: list[tuple[float, int]] = []
    for value in values:
        total, count = value, 1
        while blocks and blocks[-1][0] / blocks[-1][1] > total / count:
            before, size = blocks.pop()
            total, count = total + before, count + size
        blocks.append((total, count))
    return [total / count for total, count in blocks for _ in range(count)]
