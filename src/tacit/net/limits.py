"""What an agent grants its peers: cost, time, edges and repairs; as a table of `agents.toml`."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from tacit.public.declared import described
from tacit.public.run_options import Count

Size = Annotated[int, Meta(ge=1, le=2**20)]
Seconds = Annotated[float, Meta(gt=0, le=10**9)]

BOUNDS = "Bounds on what this agent discloses"
PEERS = "Limits on what peers may send"
CLOCKS = "How long to wait (seconds of wall-clock time)"


class LimitsTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Sizes are in MiB, times in seconds."""

    max_message: Annotated[Size, described("MiB of one frame.", group=PEERS)] = 64
    max_pending: Annotated[
        Size, described("MiB of a peer's frames that wait here.", group=PEERS)
    ] = 64
    max_frames: Annotated[
        int, Meta(ge=10), described("Frames per second read from a peer.", group=PEERS)
    ] = 50_000
    max_rate: Annotated[Size, described("MiB per second read from a peer.", group=PEERS)] = 256
    memory_limit: Annotated[Size, described("MiB of resident memory of this agent.")] = 4096
    max_k: (
        Annotated[
            Count | Literal["all"],
            described("Edges that this agent discloses at most, whatever others ask, or 'all'."),
        ]
        | None
    ) = None
    max_answers: (
        Annotated[
            Count | Literal["all"],
            described(
                "Repairs that this agent discloses at most, or 'all'; as many as it discloses one "
                "by one if not given.",
                group=BOUNDS,
            ),
        ]
        | None
    ) = None
    budget: (
        Annotated[
            Count,
            described(
                "What this agent's edges may cost, in its own prices (--weights).", group=BOUNDS
            ),
        ]
        | None
    ) = None
    ahead: (
        Annotated[
            Count,
            described(
                "Edges that it may be ahead of others whose tokens the goals need.", group=BOUNDS
            ),
        ]
        | None
    ) = None
    beat: Annotated[Seconds, described("Seconds between signs of life.", group=CLOCKS)] = 2.0
    silence: Annotated[
        Seconds, described("Seconds without one until a peer is gone.", group=CLOCKS)
    ] = 20.0
    greeting: Annotated[Seconds, described("Seconds for handshake and hello.", group=CLOCKS)] = 10.0
    wait: Annotated[Seconds, described("Seconds to wait for all peers.", group=CLOCKS)] = 60.0
    answer_limit: Annotated[Seconds, described("Seconds for one answer.", group=CLOCKS)] = 600.0
    run_limit: Annotated[
        Seconds,
        described(
            "Seconds for the whole run once all peers are there; --time-limit is for planning.",
            group=CLOCKS,
        ),
    ] = 3600.0
