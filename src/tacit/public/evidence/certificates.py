"""Whose certificate it is: which agent it names, and whether it comes from a CA that is trusted.

TLS checks this while a run goes on. An auditor has only a transcript, in which each agent has shown
its certificate and those that lead to its CA, and checks it again at the time of the run: every
certificate issued by the next, the last one by the auditor's CA, each valid then, the agent's for
signatures, the others for CAs. An extension that is critical and not known here is a refusal.
Certificates that were revoked since, or before, are not looked for.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from pathlib import Path
from urllib.parse import quote

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.x509 import Certificate

from tacit.errors import Diagnostic, InputError

LONGEST = 8
"""Certificates that an agent may show."""


def agent_uri(name: str) -> str:
    """How a certificate names an agent."""
    return f"tacit:{quote(name, safe='')}"


def is_named(others: Iterable[tuple[str, str]], common: Sequence[str], agent: str) -> bool:
    """Does a certificate with these alternative names (kind and name) and common names name this
    agent? Letter case does not count.
    """
    named = [(kind, value) for kind, value in others if kind in ("URI", "DNS")]
    if named:
        known = {("URI", agent_uri(agent).lower()), ("DNS", agent.lower())}
        return any((kind, value.lower()) in known for kind, value in named)
    return [name.lower() for name in common] == [agent.lower()]


def read_anchors(path: Path) -> list[Certificate]:
    """The certificates in a CA's file, or an `InputError`."""
    try:
        return x509.load_pem_x509_certificates(path.read_bytes())
    except OSError as error:
        raise InputError(Diagnostic(error.strerror or "cannot be read", str(path))) from None
    except ValueError:
        raise InputError(Diagnostic("this is not a CA certificate", str(path))) from None


def why_refused(
    shown: Sequence[bytes], agent: str, anchors: Sequence[Certificate], time: int
) -> str | None:
    """Why these certificates (DER, the agent's own first) do not show whose signature it is, at a
    time in nanoseconds since 1970; None if they do.
    """
    try:
        found = [x509.load_der_x509_certificate(one) for one in shown[:LONGEST]]
        when = datetime.datetime.fromtimestamp(time / 1e9, datetime.UTC)
        if not _names(found[0], agent):
            return "its certificate names another agent"
        return _why_no_path(found, anchors, when)
    except (ValueError, IndexError, OverflowError, OSError):
        return "its certificate cannot be read"


def _names(certificate: Certificate, agent: str) -> bool:
    others: list[tuple[str, str]] = []
    try:
        named = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        others += [
            ("URI", name) for name in named.get_values_for_type(x509.UniformResourceIdentifier)
        ]
        others += [("DNS", name) for name in named.get_values_for_type(x509.DNSName)]
    except x509.ExtensionNotFound:
        pass
    common = certificate.subject.get_attributes_for_oid(x509.NameOID.COMMON_NAME)
    return is_named(others, [str(one.value) for one in common], agent)


def _why_no_path(
    shown: Sequence[Certificate], anchors: Sequence[Certificate], when: datetime.datetime
) -> str | None:
    """From the agent's certificate to a CA, by those that it has shown."""
    at = shown[0]
    for depth in range(len(shown) + 1):
        why = _why_unfit(at, depth, when)
        if why is not None:
            return why
        anchor = next((one for one in anchors if _issued(at, one)), None)
        if anchor is not None:
            return _why_unfit(anchor, depth + 1, when)
        above = next((one for one in shown[1:] if one != at and _issued(at, one)), None)
        if above is None:
            break
        at = above
    return "its certificate is not from this CA"


def _issued(certificate: Certificate, issuer: Certificate) -> bool:
    try:
        certificate.verify_directly_issued_by(issuer)
    except (ValueError, TypeError, InvalidSignature, UnsupportedAlgorithm):
        return False
    return True


def _why_unfit(certificate: Certificate, depth: int, when: datetime.datetime) -> str | None:
    """The agent's own certificate is at depth 0, and all above are CAs'."""
    if not certificate.not_valid_before_utc <= when <= certificate.not_valid_after_utc:
        return "a certificate was not valid then"
    known = (x509.BasicConstraints, x509.KeyUsage, x509.ExtendedKeyUsage)
    is_ca, longest = False, None
    for extension in certificate.extensions:
        value = extension.value
        if isinstance(value, x509.BasicConstraints):
            is_ca, longest = value.ca, value.path_length
        elif isinstance(value, x509.KeyUsage):
            if not (value.key_cert_sign if depth else value.digital_signature):
                return "a certificate is not for this use"
        elif extension.critical and not isinstance(value, (*known, x509.SubjectAlternativeName)):
            return "a certificate has a critical extension that is not known here"
    if depth and (not is_ca or (longest is not None and depth - 1 > longest)):
        return "a certificate was issued by one that is no CA's"
    return None
