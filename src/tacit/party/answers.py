"""The table of a phase: which questions it answers, and by which method."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tacit.public.protocol.messages import Answer, Question

Answers = Mapping[type[Question], Callable[[Any, Any], Answer]]
