"""The `settebello` command, up to the moment Streamlit takes over, and once for real."""

import errno
import os
import re
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest
import streamlit
import streamlit.web.cli
from starlette.applications import Starlette
from starlette.testclient import TestClient

from screens import certificate, cli, network
from screens.parts import joining

pytestmark = pytest.mark.slow


@pytest.fixture
def busy_port() -> Iterator[int]:
    with socket.socket() as server:
        server.bind(("", 0))
        server.listen()
        yield server.getsockname()[1]


@pytest.fixture(autouse=True)
def address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SETTEBELLO_ADDRESS", "http://192.168.1.20:8501")


def test_a_busy_port_is_said_in_a_sentence(busy_port: int) -> None:
    with pytest.raises(SystemExit, match=f"expected port {busy_port} to be free"):
        cli.main(["--port", str(busy_port)])


@pytest.mark.parametrize("port", [70_000, -1])
def test_a_port_that_cannot_be_is_said(port: int) -> None:
    with pytest.raises(SystemExit, match=f"expected port {port} to be free"):
        cli.main(["--port", str(port)])


def test_a_home_that_is_a_file_is_said_in_a_sentence(tmp_path: Path, free_port: int) -> None:
    (tmp_path / "file").write_text("here")
    with pytest.raises(SystemExit, match=r"expected to write .*name another folder"):
        cli.main(["--port", str(free_port), "--home", str(tmp_path / "file")])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SETTEBELLO_PHOTO_DAYS", "nonsense"),
        ("SETTEBELLO_LOG", "nonsense"),
        ("SETTEBELLO_METRICS", "nonsense"),
        ("SETTEBELLO_ADDRESS", "scopa.example.org:8501"),
        ("SETTEBELLO_ADDRESS", "https://example.org/scopa"),
        ("SETTEBELLO_ADDRESS", "http://["),
    ],
)
def test_a_setting_that_means_nothing_is_said_before_the_start(
    monkeypatch: pytest.MonkeyPatch, free_port: int, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit, match=rf"{name}, got '{re.escape(value)}': correct it"):
        cli.main(["--port", str(free_port)])


def test_app_starts_without_a_subcommand(
    tmp_path: Path,
    free_port: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("SETTEBELLO_HOME", "")  # put back at the end
    started: list[str] = []
    monkeypatch.setattr(streamlit.web.cli, "main", lambda arguments, **_: started.extend(arguments))
    with pytest.raises(SystemExit, match="0"):
        cli.main(["--port", str(free_port), "--home", str(tmp_path)])
    assert f"--server.port={free_port}" in started
    assert str(tmp_path / "settebello.db") in capsys.readouterr().out


def test_the_address_given_by_the_environment_is_the_one_shown(free_port: int) -> None:
    text = cli.prepare(free_port)
    assert "http://192.168.1.20:8501" in text


def test_missing_models_are_said_and_do_not_stop_the_table() -> None:
    text = cli.welcome("http://a:1", place="x", missing=["identify.onnx"])
    assert "models/identify.onnx is missing" in text
    assert "tapped in by hand" in text


def test_the_lan_address_is_an_address() -> None:
    assert socket.inet_aton(network.lan_address())


class Nowhere(socket.socket):
    """A socket of a machine that knows no way out of its own networks."""

    def connect(self, _address: object) -> None:
        raise OSError(errno.ENETUNREACH, "Network is unreachable")


def test_a_hotspot_without_internet_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def at(address: str) -> list[SimpleNamespace]:
        return [SimpleNamespace(family=socket.AF_INET, address=address)]

    attached = {"lo": at("127.0.0.1"), "eth0": at("10.0.0.9"), "wlan0": at("10.42.0.1")}
    stats = {name: SimpleNamespace(isup=name != "eth0") for name in attached}
    monkeypatch.setattr(socket, "socket", Nowhere)
    monkeypatch.setattr(psutil, "net_if_addrs", lambda: attached)
    monkeypatch.setattr(psutil, "net_if_stats", lambda: stats)
    assert network.lan_address() == "10.42.0.1"
    attached.pop("wlan0")
    assert network.lan_address() == network.LOOPBACK


def test_without_a_network_nobody_is_told_to_scan() -> None:
    text = cli.welcome("http://127.0.0.1:8501", place="x")
    assert "no phone can join" in text
    assert "scan the code" not in text
    assert "scan the code" in cli.welcome("http://10.0.0.2:8501", place="x")


def test_an_empty_address_is_none(monkeypatch: pytest.MonkeyPatch, free_port: int) -> None:
    monkeypatch.setenv("SETTEBELLO_ADDRESS", "")
    monkeypatch.setattr(cli, "lan_address", lambda: "10.0.0.2")
    assert f"http://10.0.0.2:{free_port}" in cli.prepare(free_port)


def test_a_port_taken_on_ipv6_alone_is_taken() -> None:
    with socket.socket(socket.AF_INET6) as server:
        server.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        try:
            server.bind(("::", 0))
        except OSError:
            pytest.skip("this machine has no IPv6")
        server.listen()
        port = server.getsockname()[1]
        with pytest.raises(network.PortBusyError):
            network.check_port(port)


@pytest.mark.parametrize(
    ("given", "seen", "joined"),
    [
        ("https://scopa.example/", "http://10.0.0.2:8501/board", "https://scopa.example"),
        ("", "http://10.0.0.2:8501/board", "http://10.0.0.2:8501"),
        ("", "http://127.0.1.1:8501/board", "http://10.0.0.3:8501"),
        ("", "http://localhost:8501/board", "http://10.0.0.3:8501"),
    ],
)
def test_the_board_shows_how_phones_get_here(
    monkeypatch: pytest.MonkeyPatch, given: str, seen: str, joined: str
) -> None:
    monkeypatch.setenv("SETTEBELLO_ADDRESS", given)
    monkeypatch.setenv("SETTEBELLO_LAN_ADDRESS", "http://10.0.0.3:8501")
    monkeypatch.setattr(streamlit, "context", SimpleNamespace(url=seen))
    assert joining.watch_url("K7QF") == f"{joined}/board/K7QF"


def test_help_names_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        cli.main(["--help"])
    shown = capsys.readouterr().out
    assert all(word in shown for word in ("--port", "--home", "SETTEBELLO_DATABASE_URL"))


def test_a_passphrase_too_short_is_said_before_anything_starts(
    free_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SETTEBELLO_PASSPHRASE", "scopa")
    with pytest.raises(SystemExit, match=r"settebello: expected a passphrase of 8 characters"):
        cli.main(["--port", str(free_port)])


def answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=5) as reply:
            return bool(reply.status == 200)
    except (urllib.error.URLError, OSError):
        return False


@pytest.mark.slow
def test_the_command_serves_the_app_and_ends_cleanly(tmp_path: Path, free_port: int) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    environment.pop("SETTEBELLO_ADDRESS")
    with subprocess.Popen(
        [sys.executable, "-m", "screens.cli", "--port", str(free_port)],
        cwd=cli.ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as app:
        limit = time.monotonic() + 120
        while not answers(free_port) and app.poll() is None and time.monotonic() < limit:
            time.sleep(0.2)
        served = answers(free_port)
        app.send_signal(signal.SIGINT)
        said, _ = app.communicate(timeout=60)
    assert served, said
    assert f":{free_port}" in said
    assert "█" in said
    assert "Traceback" not in said
    assert app.returncode == 0
    assert (tmp_path / "home" / "settebello.db").is_file()


def test_trusted_authority_is_kept_between_starts(tmp_path: Path, free_port: int) -> None:
    first = certificate.certificate(tmp_path, ["settebello.local", "192.168.1.20", "localhost"])
    authority = first.authority.read_bytes()
    chain = first.chain.read_bytes()
    assert (tmp_path / "authority.key").stat().st_mode & 0o077 == 0
    assert first.key.stat().st_mode & 0o077 == 0
    again = certificate.certificate(tmp_path, ["192.168.1.99", "localhost"])
    assert again.authority.read_bytes() == authority
    assert again.chain.read_bytes() != chain

    context = ssl.create_default_context(cafile=str(again.authority))
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(again.chain, again.key)
    with socket.create_server(("127.0.0.1", free_port)) as listening:

        def answer() -> None:
            near, _ = listening.accept()
            with serving.wrap_socket(near, server_side=True) as line:
                line.recv(1)

        answering = threading.Thread(target=answer, daemon=True)
        answering.start()
        with (
            socket.create_connection(("127.0.0.1", free_port)) as line,
            context.wrap_socket(line, server_hostname="localhost") as trusted,
        ):
            held = trusted.getpeercert()
        answering.join()
    assert held
    until = ssl.cert_time_to_seconds(str(held["notAfter"])) - time.time()
    assert until < 398 * 86_400, "iPhones refuse a certificate that holds longer"


def test_https_option_prints_an_https_address(
    tmp_path: Path, free_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(certificate.AUTHORITY, "")
    monkeypatch.setenv(network.FOUND, "")
    monkeypatch.setenv(network.GIVEN, "")
    assert cli.parse(["--https"]).https
    assert f"https://{network.lan_address()}:{free_port}" in cli.prepare(free_port, https=True)
    chain, key = cli.certify(tmp_path)
    assert chain == f"--server.sslCertFile={tmp_path / 'server.pem'}"
    assert key == f"--server.sslKeyFile={tmp_path / 'server.key'}"
    app = Starlette(routes=certificate.routes())
    answer = TestClient(app).get(certificate.ADDRESS)
    assert answer.content == (tmp_path / "authority.pem").read_bytes()
    assert answer.headers["content-type"] == "application/x-x509-ca-cert"
    monkeypatch.setenv(certificate.AUTHORITY, "")
    assert TestClient(app).get(certificate.ADDRESS).status_code == 404


def test_a_network_that_allows_no_names_stops_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: object) -> None:
        raise OSError(errno.ENETUNREACH, "no multicast here")

    monkeypatch.setattr("zeroconf.Zeroconf", refuse)
    with network.named_on_network(8501):
        pass
