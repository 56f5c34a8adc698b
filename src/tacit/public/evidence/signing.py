"""Signing receipts with the key of an agent's TLS certificate, and checking such signatures.

How is decided by the kind of key in the certificate, and nothing else says it: ECDSA with SHA-256,
Ed25519, Ed448, or RSA-PSS with SHA-256 (salt as long as the digest). The library for it is in the
extra `net`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, padding, rsa

from tacit.errors import Diagnostic, InputError

Sign = Callable[[bytes], bytes]
Check = Callable[[bytes, bytes], bool]
"""Is this (the second) a signature of this (the first)?"""


@dataclass(frozen=True)
class Signer:
    """An agent's certificate (DER), followed by those that lead to its CA; and what signs."""

    certificates: tuple[bytes, ...]
    sign: Sign

    @classmethod
    def read(cls, cert: Path, key: Path) -> Signer:
        """From PEM files, or an `InputError`."""
        try:
            found = x509.load_pem_x509_certificates(cert.read_bytes())
            secret = serialization.load_pem_private_key(key.read_bytes(), None)
        except (OSError, ValueError, TypeError):
            message = "this certificate and its key cannot be read"
            raise InputError(Diagnostic(message, str(cert))) from None
        sign = _signing(secret)
        if sign is None:
            hint = "EC, Ed25519, Ed448 and RSA keys can"
            raise InputError(Diagnostic("a key of this kind cannot sign", str(key), hint=hint))
        ders = tuple(one.public_bytes(serialization.Encoding.DER) for one in found)
        check = checker(ders[0])
        if check is None or not check(b"", sign(b"")):  # and the first signature takes longest
            raise InputError(Diagnostic("this key is not the certificate's", str(key)))
        return cls(ders, sign)


def checker(certificate: bytes) -> Check | None:
    """Checks signatures by the owner of a certificate (DER); None if it cannot be read."""
    try:
        key: Any = x509.load_der_x509_certificate(certificate).public_key()
    except (ValueError, UnsupportedAlgorithm):
        return None
    options = _options(key)
    if options is None:
        return None

    def is_signed(data: bytes, signature: bytes) -> bool:
        try:
            key.verify(signature, data, *options)
        except InvalidSignature:
            return False
        return True

    return is_signed


def _signing(key: Any) -> Sign | None:
    options = _options(key.public_key())
    if options is None:
        return None

    def sign(data: bytes) -> bytes:
        signature: bytes = key.sign(data, *options)
        return signature

    return sign


def _options(key: object) -> tuple[Any, ...] | None:
    """What a key's own methods need besides data and signature; None if Tacit does not use it."""
    if isinstance(key, ec.EllipticCurvePublicKey):
        return (ec.ECDSA(hashes.SHA256()),)
    if isinstance(key, ed25519.Ed25519PublicKey | ed448.Ed448PublicKey):
        return ()
    if isinstance(key, rsa.RSAPublicKey):
        salt = hashes.SHA256.digest_size
        return padding.PSS(padding.MGF1(hashes.SHA256()), salt), hashes.SHA256()
    return None
