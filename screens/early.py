"""The first screen as HTML, drawn by the server while a browser loads Streamlit's scripts.

The server runs the script of the screen for the request as it does for a browser, and writes what
that draws as HTML, with the names and classes that Streamlit's own scripts give. `static/early.js`
keeps it alive, with the scripts of the components in `ALIVE`, until Streamlit has drawn the same;
what was typed or tapped until then is carried over.
"""

import asyncio
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup
from starlette.requests import Request
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Block_pb2 import Block
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime
from streamlit.runtime.session_manager import ClientContext, SessionClient
from streamlit.web.server.starlette.starlette_websocket import StarletteClientContext

from screens import render
from screens.components import SCRIPTS, static_text

ALIVE = ("seats", "tally", "buttons", "snap", "cards")
"""The components whose scripts run on the early screen."""

AT_ONCE = 2
"""Early screens that are drawn at a time; for whoever comes then the wordmark must do."""

PATIENCE_S = 4.0
"""Longer than this no browser waits for its early screen."""

_ESCAPED = re.compile(rf"\\(.)|{render.JOINER}")
_KEY = re.compile(r"\$\$ID-[0-9a-f]+-(.+)", re.DOTALL)
_MAIN, _BOTTOM = 0, 3  # places of what Streamlit shows in the middle and below
_GOES_ON = {ForwardMsg.FINISHED_EARLY_FOR_RERUN, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY}
_turns = asyncio.Semaphore(AT_ONCE)


@dataclass
class Node:
    """A piece of a screen: what Streamlit is told of it, and the pieces in it by their places."""

    proto: Block | Element = field(default_factory=Block)
    children: dict[int, "Node"] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """What it is, such as `button`; of a container how it is laid out."""
        return self.proto.WhichOneof("type") or ""

    @property
    def own(self) -> Any:
        """What is said of an element of this kind."""
        return getattr(self.proto, self.kind)

    @property
    def is_element(self) -> bool:
        """Whether nothing can be in it."""
        return isinstance(self.proto, Element)

    @property
    def component(self) -> str:
        """The name of a component of ours; empty for all else."""
        if self.kind != "bidi_component":
            return ""
        return str(self.own.component_name).rpartition("settebello_")[2]

    @property
    def key(self) -> str:
        """The class that names it on the screen, such as `st-key-open`."""
        id_ = self.proto.id if isinstance(self.proto, Block) else getattr(self.own, "id", "")
        if isinstance(self.proto, Block) and self.kind == "popover":
            id_ = self.own.id or id_
        named = _KEY.fullmatch(id_)
        key = named[1] if named else ""
        return f"st-key-{re.sub(r'[^a-zA-Z0-9_-]', '-', key)}" if key and key != "None" else ""

    @property
    def parts(self) -> list["Node"]:
        """The pieces in it, in order."""
        return [self.children[place] for place in sorted(self.children)]

    @property
    def data(self) -> Any:
        """What the script of a component is given."""
        return json.loads(self.own.json) if self.own.WhichOneof("data") == "json" else None


class _Client(SessionClient):
    """A browser that asks for one screen and never answers."""

    def __init__(self, request: Request) -> None:
        self._context = StarletteClientContext(request)  # type: ignore[arg-type]  # what both have
        self.screen = Node()
        self.done = asyncio.Event()

    @property
    def client_context(self) -> ClientContext:
        return self._context

    def write_forward_msg(self, msg: ForwardMsg) -> None:
        kind = msg.WhichOneof("type")
        if kind == "new_session":  # also where a screen leads on to another
            self.screen = Node()
        elif kind == "delta":
            self._put(msg)
        elif kind == "script_finished" and msg.script_finished not in _GOES_ON:
            self.done.set()

    def _put(self, msg: ForwardMsg) -> None:
        *way, place = msg.metadata.delta_path
        node = self.screen
        for step in way:
            node = node.children.setdefault(step, Node())
        if msg.delta.WhichOneof("type") == "new_element":
            node.children[place] = Node(msg.delta.new_element)
        elif msg.delta.WhichOneof("type") == "add_block":
            before = node.children.get(place)
            node.children[place] = Node(msg.delta.add_block, before.children if before else {})


async def screen(request: Request, name: str, *, files: Mapping[str, str]) -> Markup:
    """Gives the HTML of the screen that a request asks for; nothing where that takes too long.

    Args:
        request: Says who asks, in which language, for which table.
        name: The screen's, as in its address.
        files: The addresses of our files by their names.
    """
    if _turns.locked() or not Runtime.exists():
        return Markup()
    async with _turns:
        try:
            return await _drawn(request, name, files=files)
        except TimeoutError:
            return Markup()


async def _drawn(request: Request, name: str, *, files: Mapping[str, str]) -> Markup:
    client, runtime, asked = _Client(request), Runtime.instance(), BackMsg()
    asked.rerun_script.page_name = name
    asked.rerun_script.query_string = request.url.query
    asked.rerun_script.context_info.url = str(request.url)
    session = runtime.connect_session(client=client, user_info={})
    try:
        runtime.handle_backmsg(session, asked)
        async with asyncio.timeout(PATIENCE_S):
            await client.done.wait()
    finally:
        runtime.close_session(session)
    return html(client.screen, files=files)


def html(root: Node, *, files: Mapping[str, str]) -> Markup:
    """Gives the HTML of a screen.

    Args:
        root: The screen.
        files: The addresses of our files by their names.
    """
    parts = {node.component: node for node in _walk(root)}
    if "page" not in parts:
        return Markup()
    return render.template(
        "early.html",
        main=root.children.get(_MAIN, Node()),
        bottom=root.children.get(_BOTTOM, Node()),
        page=parts["page"].data,
        alive=ALIVE,
        plain=plain,
        files=files,
    )


def _walk(node: Node) -> "list[Node]":
    return [node, *(one for part in node.parts for one in _walk(part))]


def script() -> str:
    """The script of early screens: that of each component in `ALIVE` as a function, and its own."""
    shared = dict.fromkeys(one for name in ALIVE for one in SCRIPTS[name][:-1])
    own = (
        static_text(f"{name}.js").replace("export default function", "return function")
        for name in ALIVE
    )
    parts = (f"{name}: (() => {{\n{text}\n}})()" for name, text in zip(ALIVE, own, strict=True))
    alive = f"const ALIVE = {{ {', '.join(parts)} }};"
    texts = "".join(static_text(f"{name}.js") for name in shared)
    return f"(() => {{\n{texts}{alive}\n{{\n{static_text('early.js')}}}\n}})();\n"


def plain(label: str) -> str:
    r"""A label as it is read, without what makes it plain Markdown.

    >>> plain(r"1\. Anna \*")
    '1. Anna *'
    """
    return _ESCAPED.sub(lambda found: found[1] or "", label)
