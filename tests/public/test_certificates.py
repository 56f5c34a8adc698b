"""Whose signature it is: the way from an agent's certificate to a CA, at the time of a run."""

from __future__ import annotations

import datetime
import time

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tacit.errors import InputError
from tacit.public.evidence.certificates import agent_uri, read_anchors, why_refused

NOW = time.time_ns()
DAY = 86_400 * 10**9
KEYS = {name: ec.generate_private_key(ec.SECP256R1()) for name in ("root", "middle", "low", "a")}


def made(name: str, issuer: str, is_ca: bool = True, **more) -> x509.Certificate:
    """A certificate; `depth` is how many CAs may follow, `uses` the usage of its key."""
    now = datetime.datetime.now(datetime.UTC)

    def named(common: str) -> x509.Name:
        return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, common)])

    builder = x509.CertificateBuilder(
        named(issuer),
        named(name),
        KEYS[name].public_key(),
        x509.random_serial_number(),
        now - datetime.timedelta(hours=1),
        now + datetime.timedelta(hours=1),
    )
    depth = more.get("depth")
    builder = builder.add_extension(x509.BasicConstraints(is_ca, depth), critical=True)
    signs = more.get("signs", not is_ca)
    usage = x509.KeyUsage(signs, *[False] * 4, is_ca, is_ca, False, False)
    builder = builder.add_extension(usage, critical=True)
    if not is_ca:
        uri = x509.UniformResourceIdentifier(agent_uri(more.get("uri", name)))
        builder = builder.add_extension(x509.SubjectAlternativeName([uri]), critical=False)
    if more.get("critical"):
        inside = x509.NameConstraints([x509.DNSName("example")], None)
        builder = builder.add_extension(inside, critical=True)
    return builder.sign(KEYS[issuer], hashes.SHA256())


def refused(*shown: x509.Certificate, ca=None, at: int = NOW) -> str | None:
    ders = [one.public_bytes(serialization.Encoding.DER) for one in shown]
    return why_refused(ders, "a", [ca or made("root", "root")], at)


def test_from_the_ca_itself_or_by_way_of_others():
    assert refused(made("a", "root", False)) is None
    assert refused(made("a", "middle", False), made("middle", "root")) is None
    ways = made("low", "middle"), made("middle", "root")
    assert refused(made("a", "low", False), *ways) is None
    assert refused(made("a", "low", False), *ways[::-1]) is None, "in any order"
    assert refused(made("a", "middle", False), ca=made("middle", "root")) is None


@pytest.mark.parametrize(
    ("shown", "why"),
    [
        ([made("a", "middle", False)], "not from this CA"),
        ([made("a", "low", False), made("middle", "root")], "not from this CA"),
        ([made("a", "a", False)], "not from this CA"),
        ([made("a", "middle", False), made("middle", "middle")], "not from this CA"),
        ([made("a", "root", False, uri="b")], "names another agent"),
        ([made("a", "root", False, signs=False)], "not for this use"),
        ([made("a", "middle", False), made("middle", "root", False)], "not for this use"),
        ([made("a", "root", False, critical=True)], "critical extension"),
        (
            [made("a", "middle", False), made("middle", "root", critical=True)],
            "critical extension",
        ),
        (
            [made("a", "low", False), made("low", "middle"), made("middle", "root", depth=0)],
            "issued by one that is no CA's",
        ),
        ([], "cannot be read"),
    ],
)
def test_what_is_refused(shown, why):
    assert why in (refused(*shown) or "")


def test_the_time_of_the_run_counts():
    good = made("a", "root", False)
    for at in (NOW - DAY, NOW + DAY, 0, 2**63):
        assert refused(good, at=at) in (
            "a certificate was not valid then",
            "its certificate cannot be read",
        )
    assert refused(good) is None


def test_bytes_that_are_no_certificate(tmp_path):
    assert why_refused([b"x"], "a", [made("root", "root")], NOW) == "its certificate cannot be read"
    (tmp_path / "ca").write_text("nothing")
    with pytest.raises(InputError, match="not a CA certificate"):
        read_anchors(tmp_path / "ca")
    with pytest.raises(InputError, match="No such file"):
        read_anchors(tmp_path / "none")
