"""One agent's side of a secure sum: its key, and the masks that cancel out over all agents.

The group is that of RFC 3526 with 2048 bits. A pair's secret is hashed with the number of the sum,
so each sum has masks of its own. An agent answers about each number once: two answers with the same
masks would show the difference of what they hide. Others' keys are taken once, and from themselves:
whoever could put its own in their place would see through the masks.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets

from tacit.errors import ProtocolError
from tacit.public.protocol.messages import Weigh, Weighed
from tacit.public.protocol.weighing import KEY, MODULUS

PRIME = int(
    "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74"
    "020BBEA63B139B22514A08798E3404DDEF9519B3CD3A431B302B0A6DF25F1437"
    "4FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED"
    "EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF05"
    "98DA48361C55D39A69163FA8FD24CF5F83655D23DCA3AD961C62F356208552BB"
    "9ED529077096966D670C354E4ABC9804F1746C08CA18217C32905E462E36CE3B"
    "E39E772C180E86039B2783A2EC07A28FB5C55DF06F4C52C9DE2BCBF695581718"
    "3995497CEA956AE515D2261898FA051015728E5A8AACAA68FFFFFFFFFFFFFFFF",
    16,
)
GENERATOR = 2
SECRET_BITS = 256


class Masking:
    """The masks of one agent in one run."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._secret = secrets.randbits(SECRET_BITS) | 1 << SECRET_BITS
        self.key = pow(GENERATOR, self._secret, PRIME).to_bytes(KEY, "big")
        self._shared: dict[str, bytes] = {}
        self._last = 0

    def meet(self, peer: str, key: bytes) -> None:
        """Take the key that a peer has sent itself."""
        number = int.from_bytes(key, "big")
        if len(key) != KEY or not 1 < number < PRIME - 1 or key == self.key:
            raise ProtocolError(f"the key of '{peer}' for sums is none")
        if peer in self._shared:
            raise ProtocolError(f"'{peer}' sends another key for sums")
        self._shared[peer] = pow(number, self._secret, PRIME).to_bytes(KEY, "big")

    def answer(self, question: Weigh, amount: int) -> Weighed:
        """What this agent adds to a sum, masked."""
        if question.number <= self._last:
            raise ProtocolError(f"'{question.sender}' asks for a sum that was asked for before")
        self._last = question.number
        total = amount
        for peer, shared in self._shared.items():
            mask = mask_of(shared, question.number)
            total += mask if self._name < peer else -mask
        return Weighed(self._name, total % MODULUS)


def mask_of(shared: bytes, number: int) -> int:
    """The mask of a pair for one sum."""
    digest = hmac.digest(shared, b"tacit sum %d" % number, hashlib.sha256)
    return int.from_bytes(digest[:8], "big") % MODULUS
