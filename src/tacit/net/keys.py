"""Throw-away keys for a rehearsal: a CA, and a certificate for each agent that names it.

Their maker could pose as every agent, so they are for trying things out on one's own machines.
Between organisations certificates come from the organisations' own PKI; `tacit.transport.tls` has
what they must contain.
"""

from __future__ import annotations

import datetime
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from tacit import files
from tacit.errors import InputError, nearest
from tacit.spelling import check_spelling
from tacit.transport.tls import agent_uri

_DNS = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?", re.IGNORECASE)
_MINUTES_BEFORE = 5
"""Clocks differ."""


@dataclass(frozen=True)
class _Made:
    """A certificate and its key."""

    cert: x509.Certificate
    key: ec.EllipticCurvePrivateKey


def make_keys(
    folder: Path,
    agents: Sequence[str],
    days: float,
    replace: bool = False,
    revoked: Sequence[str] = (),
) -> list[Path]:
    """Write `ca.pem`, and `AGENT.pem` and `AGENT.key` for each; the files that were written.

    With agents whose certificate is `revoked`, `crl.pem` has the list of them. The key of the CA is
    not written: nobody can make more certificates with it, nor revoke more.
    """
    _check_names(agents)
    for agent in revoked:
        if agent not in agents:
            raise InputError(f"there is no agent '{agent}' to revoke", nearest(agent, agents))
    lifetime = datetime.timedelta(days=days)
    ca = _make("Tacit rehearsal CA", None, None, lifetime)
    made_files = {"ca.pem": (_pem(ca), False)}
    numbers: list[int] = []
    for agent in agents:
        made = _make(agent, agent, ca, lifetime)
        made_files[f"{agent}.pem"] = (_pem(made), False)
        made_files[f"{agent}.key"] = (_key_pem(made), True)
        if agent in revoked:
            numbers.append(made.cert.serial_number)
    if revoked:
        made_files["crl.pem"] = (_crl_pem(ca, numbers, lifetime), False)
    if replace:
        for name in made_files:
            (folder / name).unlink(missing_ok=True)
    return [_write(folder / name, *content) for name, content in made_files.items()]


def _check_names(agents: Sequence[str]) -> None:
    for agent in agents:
        check_spelling(agent)
        files.check_agent_name(agent)
        if agent in ("ca", "crl"):
            raise InputError(f"'{agent}' cannot be the name of an agent's files")
    if len({agent.lower() for agent in agents}) < len(agents):
        raise InputError("two agents have the same name", "letter case does not count")


def _make(
    common_name: str, agent: str | None, issuer: _Made | None, lifetime: datetime.timedelta
) -> _Made:
    """A certificate by `issuer`, or a CA's own if there is none."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common_name[:64])])
    now = datetime.datetime.now(datetime.UTC)
    begun = min(now, now + lifetime) - datetime.timedelta(minutes=_MINUTES_BEFORE)
    builder = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(issuer.cert.subject if issuer else name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begun)
        .not_valid_after(now + lifetime)
        .add_extension(x509.BasicConstraints(ca=issuer is None, path_length=None), critical=True)
        .add_extension(_usage(is_ca=issuer is None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )
    if issuer is not None and agent is not None:
        both = [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
        names: list[x509.GeneralName] = [x509.UniformResourceIdentifier(agent_uri(agent))]
        if _DNS.fullmatch(agent):
            names.append(x509.DNSName(agent))
        authority = x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer.key.public_key())
        builder = (
            builder.add_extension(x509.ExtendedKeyUsage(both), critical=False)
            .add_extension(x509.SubjectAlternativeName(names), critical=False)
            .add_extension(authority, critical=False)
        )
    signer = issuer.key if issuer else key
    return _Made(builder.sign(signer, hashes.SHA256()), key)


def _usage(is_ca: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not is_ca,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=is_ca,
        crl_sign=is_ca,
        encipher_only=False,
        decipher_only=False,
    )


def _crl_pem(ca: _Made, numbers: Sequence[int], lifetime: datetime.timedelta) -> bytes:
    """The CA's list of what it has revoked, by serial number; valid as long as its certificates."""
    now = datetime.datetime.now(datetime.UTC)
    begun = min(now, now + lifetime) - datetime.timedelta(minutes=_MINUTES_BEFORE)
    authority = x509.AuthorityKeyIdentifier.from_issuer_public_key(ca.key.public_key())
    builder = (
        x509.CertificateRevocationListBuilder()
        .issuer_name(ca.cert.subject)
        .last_update(begun)
        .next_update(now + lifetime)
        .add_extension(authority, critical=False)
        .add_extension(x509.CRLNumber(1), critical=False)
    )
    for number in numbers:
        revoked = x509.RevokedCertificateBuilder().serial_number(number).revocation_date(begun)
        builder = builder.add_revoked_certificate(revoked.build())
    return builder.sign(ca.key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)


def _pem(made: _Made) -> bytes:
    return made.cert.public_bytes(serialization.Encoding.PEM)


def _key_pem(made: _Made) -> bytes:
    return made.key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


def _write(path: Path, data: bytes, is_secret: bool) -> Path:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with files.create(path) as file:
            files.write_all(file, data)
            if not is_secret:
                os.fchmod(file.fileno(), 0o644)
    except OSError as error:
        raise files.cannot_write(path, error) from None
    return path
