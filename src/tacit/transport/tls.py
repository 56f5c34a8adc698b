"""Proof of the peer's name: mutual TLS 1.3, and certificates that name agents.

Both ends show a certificate from a CA that the other trusts, and each end compares the name of the
agent with it. A certificate names an agent by a URI `tacit:NAME` or a DNS name NAME among its
alternative names; only where there are no such names at all, by its common name. Where an agent
runs does not matter, so host names are not looked at.
"""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tacit.errors import Diagnostic, InputError
from tacit.files import check_secret
from tacit.public.evidence.certificates import agent_uri as agent_uri
from tacit.public.evidence.certificates import is_named
from tacit.public.evidence.signing import Signer


@dataclass(frozen=True)
class Identity:
    """The files that prove an agent's name, and the CA that it trusts for others."""

    cert: Path
    key: Path
    ca: Path

    def context(self, is_server: bool) -> ssl.SSLContext:
        """TLS 1.3 and nothing older, with certificates on both sides."""
        side = ssl.PROTOCOL_TLS_SERVER if is_server else ssl.PROTOCOL_TLS_CLIENT
        context = ssl.SSLContext(side)
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        context.check_hostname = False
        context.verify_mode = ssl.CERT_REQUIRED
        if is_server:
            context.num_tickets = 0  # no session is ever resumed
        for path in (self.ca, self.cert, self.key):
            _check_readable(path)
        check_secret(self.key)
        try:
            context.load_verify_locations(self.ca)
        except (ssl.SSLError, OSError):
            raise InputError(Diagnostic("this is not a CA certificate", str(self.ca))) from None
        try:
            context.load_cert_chain(self.cert, self.key, password=_no_password)
        except (ssl.SSLError, OSError, ValueError):
            message = "this certificate and its key cannot be read, or do not belong together"
            hint = f"the key is {self.key}; it must be PEM and not encrypted"
            raise InputError(Diagnostic(message, str(self.cert), hint=hint)) from None
        return context

    def signer(self) -> Signer:
        """What signs for this agent."""
        return Signer.read(self.cert, self.key)


def _check_readable(path: Path) -> None:
    try:
        with path.open("rb"):
            pass
    except OSError as error:
        raise InputError(Diagnostic(error.strerror or "cannot be read", str(path))) from None


def _no_password() -> str:
    raise ValueError("encrypted")


def names(certificate: dict[str, Any] | None, agent: str) -> bool:
    """Does a certificate, as `getpeercert` gives it, name this agent?"""
    if not certificate:
        return False
    common = [v for part in certificate.get("subject", ()) for k, v in part if k == "commonName"]
    return is_named(certificate.get("subjectAltName", ()), common, agent)


_PLAIN = {"WRONG_VERSION_NUMBER", "HTTP_REQUEST", "HTTPS_PROXY_REQUEST", "RECORD_LAYER_FAILURE"}
_OLD = {"UNSUPPORTED_PROTOCOL", "TLSV1_ALERT_PROTOCOL_VERSION", "NO_PROTOCOLS_AVAILABLE"}


def why_refused(error: Exception) -> str:
    """Why a handshake failed; about the other end."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not accepted: {error.verify_message}"
    reason = (getattr(error, "reason", None) or "") if isinstance(error, ssl.SSLError) else ""
    if "DID_NOT_RETURN_A_CERTIFICATE" in reason:
        return "it shows no certificate"
    if reason in _PLAIN:
        return "it does not speak TLS"
    if reason in _OLD:
        return "it does not speak TLS 1.3"
    if "ALERT" in reason:
        return f"it refuses the certificate of this end: {alert(reason)}"
    return "the TLS handshake failed"


def alert(reason: str) -> str:
    """The text of an alert, as `certificate expired`."""
    return reason.partition("ALERT_")[2].replace("_", " ").lower()
