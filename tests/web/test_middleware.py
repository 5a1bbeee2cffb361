"""Behind the nginx of deploy/: addresses of phones, and cookies for https only."""

from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pytest
import servers
from playing import command

from scoring.rules import Rules
from store import Store, tables
from table.access import hash_link, new_link
from web.auth import LINKS_COOKIE

pytestmark = pytest.mark.slow

LINK = new_link()


@pytest.mark.skipif(servers.find_nginx() is None, reason="no nginx (Debian: nginx-light)")
def test_cookies_are_for_https_alone_where_the_proxy_says_so(tmp_path: Path) -> None:
    port = servers.free_port()
    with servers.running(tmp_path / "server") as server:
        with closing(Store(server.database)) as store:
            table = command(
                store, tables.open_table, ("Anna", "Bruno"), Rules(), link_hash=hash_link(LINK)
            )
        places = dict.fromkeys(("app-1:8501", "app-2:8501"), server.address)
        with servers._nginx(tmp_path, port=port, places=places):
            for protocol in ("https", "http"):
                headers = {"x-forwarded-proto": protocol}
                with closing(HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
                    connection.request("GET", f"/join/{table.code}/{LINK}", headers=headers)
                    cookies = connection.getresponse().headers.get_all("set-cookie") or []
                [links] = [one for one in cookies if one.startswith(LINKS_COOKIE)]
                assert ("; secure" in links.lower()) is (protocol == "https")
