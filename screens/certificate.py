"""`settebello --https`: a certificate of this computer, which phones can trust.

Browsers keep a screen awake and open share sheets on https pages only. The first start creates an
authority and stores it with the data. Each start creates a certificate for the current addresses,
and a phone that trusts the authority trusts them all.
"""

import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import trustme
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

AUTHORITY = "SETTEBELLO_AUTHORITY"
"""Environment variable: the path of the authority's certificate, set by the command."""

ADDRESS = "/settebello.crt"
"""Path at which phones download the authority's certificate."""

VALID = timedelta(days=390)
"""Validity of a certificate; iPhones refuse those of more than 398 days."""

_OWNER_ONLY = 0o600


@dataclass(frozen=True)
class Certificate:
    """The files of a certificate: the chain to send, its key, and the authority to trust."""

    chain: Path
    key: Path
    authority: Path


def certificate(folder: Path, names: Sequence[str]) -> Certificate:
    """Create a certificate for the names and addresses of this computer.

    Args:
        folder: Where the authority is stored; created if it is missing.
        names: Host names and IP addresses, the best known first.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    files = Certificate(*(folder / name for name in ("server.pem", "server.key", "authority.pem")))
    authority = _authority(files.authority, folder / "authority.key")
    made = authority.issue_cert(
        *dict.fromkeys(names), common_name=names[0], not_after=datetime.now(UTC) + VALID
    )
    files.chain.write_bytes(b"".join(one.bytes() for one in made.cert_chain_pems))
    _write_secret(files.key, made.private_key_pem.bytes())
    return files


def _authority(place: Path, key: Path) -> trustme.CA:
    """Return the stored authority, or create one."""
    if place.is_file() and key.is_file():
        return trustme.CA.from_pem(place.read_bytes(), key.read_bytes())
    made = trustme.CA(organization_name="Settebello", organization_unit_name=platform.node())
    _write_secret(key, made.private_key_pem.bytes())
    place.write_bytes(made.cert_pem.bytes())
    return made


def _write_secret(path: Path, body: bytes) -> None:
    path.touch(mode=_OWNER_ONLY)
    path.chmod(_OWNER_ONLY)
    path.write_bytes(body)


def is_offered() -> bool:
    """Return whether the app runs with its own certificate."""
    return bool(os.environ.get(AUTHORITY))


def routes() -> list[Route]:
    """Return the route at which phones download the authority's certificate."""
    return [Route(ADDRESS, _get_authority, methods=["GET"])]


async def _get_authority(_request: Request) -> Response:
    place = Path(os.environ.get(AUTHORITY, ""))
    if not place.is_file():
        return Response(status_code=404)
    return Response(place.read_bytes(), media_type="application/x-x509-ca-cert")
