"""A revoked certificate, from `tacit keys --revoke` to `tacit agent --crl`."""

from __future__ import annotations

from support.forms import generated

from tacit.cli.main import run
from tacit.errors import ExitCode
from tacit.net.config import Outputs, config_of, read_run_file
from tacit.net.rehearsal import free_ports
from tacit.pddl.factor_writer import factor

NAMES = ("plane1", "truck0", "truck1")


def test_an_agent_whose_certificate_is_revoked(tmp_path, capsys):
    keys = tmp_path / "keys"
    assert run(["keys", str(keys), *NAMES, "--revoke", "Truck0"]) == 0
    texts = factor(generated("logistics"))
    for agent, (domain, problem) in texts.items():
        (tmp_path / f"domain-{agent}.pddl").write_text(domain)
        (tmp_path / f"problem-{agent}.pddl").write_text(problem)
    ports = dict(zip(NAMES, free_ports(3), strict=True))
    lines = ['ca = "keys/ca.pem"', 'crl = "keys/crl.pem"', "limits.max_k = 1", "limits.wait = 0.5"]
    for agent in NAMES:
        lines += [f"[agents.{agent}]", f'address = "127.0.0.1:{ports[agent]}"']
        lines += [f'{what} = "{what}-{agent}.pddl"' for what in ("domain", "problem")]
        lines += [f'cert = "keys/{agent}.pem"', f'key = "keys/{agent}.key"']
    file = tmp_path / "agents.toml"
    file.write_text("\n".join(lines))
    own = config_of(read_run_file(file), "plane1", tmp_path, Outputs()).identity
    assert own.crl == keys / "crl.pem"
    own.check("plane1")
    capsys.readouterr()
    for agent, code, text in (
        ("truck0", ExitCode.BAD_INPUT, "peers will refuse this certificate: certificate revoked"),
        ("truck1", ExitCode.TIME, "no connection with"),
    ):
        words = ["agent", "--config", file, "--name", agent, "-o", tmp_path]
        assert run([str(word) for word in words]) == code
        assert text in capsys.readouterr().err
    words = ["agent", "--config", file, "--name", "plane1", "-o", tmp_path, "--crl", file]
    assert run([str(word) for word in words]) == ExitCode.BAD_INPUT
    assert "not a list of revoked certificates" in capsys.readouterr().err


def test_only_agents_can_be_revoked(tmp_path, capsys):
    assert run(["keys", str(tmp_path / "keys"), "a", "b", "--revoke", "c"]) == ExitCode.BAD_INPUT
    assert "there is no agent 'c' to revoke" in capsys.readouterr().err
    assert not (tmp_path / "keys").exists()
