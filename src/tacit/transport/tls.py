"""Proof of the peer's name: mutual TLS 1.3, and certificates that name agents.

Both ends show a certificate from a CA that the other trusts, and each end compares the name of the
agent with it. A certificate names an agent by a URI `tacit:NAME` or a DNS name NAME among its
alternative names; only where there are no such names at all, by its common name. Where an agent
runs does not matter, so host names are not looked at. OpenSSL checks all of it in both directions,
with lists of revoked certificates if the owner has some.

Before an agent listens it shakes hands with itself (`Identity.check`): whatever a peer with the
same CA would refuse in its certificate is an error of its owner's, with the file's name, and not a
refusal somewhere else.
"""

from __future__ import annotations

import contextlib
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
    """The files that prove an agent's name, the CA that it trusts for others, and what that has
    revoked.
    """

    cert: Path
    key: Path
    ca: Path
    crl: Path | None = None

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
        if self.crl is not None:
            _load_crl(context, self.crl)
        try:
            context.load_cert_chain(self.cert, self.key, password=_no_password)
        except (ssl.SSLError, OSError, ValueError) as error:
            message = "this certificate or its key cannot be read"
            if getattr(error, "reason", None) == "KEY_VALUES_MISMATCH":
                message = "this certificate and its key do not belong together"
            hint = f"the key is {self.key}; it must be PEM and not encrypted"
            raise InputError(Diagnostic(message, str(self.cert), hint=hint)) from None
        return context

    def check(self, name: str) -> None:
        """Would a peer that trusts the same CA accept this as agent `name`? An `InputError` if not:
        the certificate has another name, is not by the CA, is not valid now, or is revoked.
        """
        try:
            shown = _shaken_with_itself(self.context(is_server=True), self.context(is_server=False))
        except ssl.SSLError as error:
            why = getattr(error, "verify_message", None) or "the TLS handshake failed"
            message = f"peers will refuse this certificate: {why}"
            hint = f"it was checked with the CA in {self.ca}"
            hint += "" if self.crl is None else f" and the revocation list in {self.crl}"
            raise InputError(Diagnostic(message, str(self.cert), hint=hint)) from None
        if not names(shown, name):
            message = f"this certificate does not name the agent '{name}'"
            hint = f"its alternative names need the URI {agent_uri(name)}"
            known = ", ".join(_named(shown))
            hint += f"; it names {known}" if known else ""
            raise InputError(Diagnostic(message, str(self.cert), hint=hint))

    def signer(self) -> Signer:
        """What signs for this agent."""
        return Signer.read(self.cert, self.key)


def _shaken_with_itself(server: ssl.SSLContext, client: ssl.SSLContext) -> dict[str, Any] | None:
    """A handshake in memory; the certificate that both ends have shown and checked."""
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = (
        client.wrap_bio(to_client, to_server),
        server.wrap_bio(to_server, to_client, server_side=True),
    )
    for _ in range(_FLIGHTS):
        for end in ends:
            with contextlib.suppress(ssl.SSLWantReadError):
                end.do_handshake()
    return ends[0].getpeercert()


_FLIGHTS = 4
"""A handshake of TLS 1.3 has three, with one more if the first key was of the wrong kind."""


def _load_crl(context: ssl.SSLContext, path: Path) -> None:
    """Lists of revoked certificates. There must be one of each CA: one that is missing or out of
    date is no permission.
    """
    _check_readable(path)
    message = None
    if b"CERTIFICATE-----" in path.read_bytes():
        message = "this has certificates, which would be trusted, and not only revocation lists"
    else:
        try:
            context.load_verify_locations(path)
        except (ssl.SSLError, OSError):
            message = "this is not a list of revoked certificates"
    if message is not None:
        hint = "a file of '-----BEGIN X509 CRL-----' blocks (PEM), one of each CA"
        raise InputError(Diagnostic(message, str(path), hint=hint))
    context.verify_flags |= ssl.VerifyFlags.VERIFY_CRL_CHECK_CHAIN


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


def _named(certificate: dict[str, Any] | None) -> list[str]:
    """The names in a certificate, for its owner."""
    if not certificate:
        return []
    others = certificate.get("subjectAltName", ())
    common = [v for part in certificate.get("subject", ()) for k, v in part if k == "commonName"]
    return [value for kind, value in others if kind in ("URI", "DNS")] or common


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
    if is_alert(error):
        return f"it refuses the certificate of this end: {alert(reason)}"
    return "the TLS handshake failed"


def is_alert(error: Exception) -> bool:
    """Did the other end say why it ends the stream?"""
    return isinstance(error, ssl.SSLError) and "ALERT" in (getattr(error, "reason", None) or "")


def alert(reason: str) -> str:
    """The text of an alert, as `certificate expired`."""
    return reason.partition("ALERT_")[2].replace("_", " ").lower()
