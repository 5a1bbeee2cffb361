"""The registry of actions: functions of a context, registered by name with a decorator.

The annotated parameters of such a function are its payload and define how they are read from JSON
(`table.requests`). `table.actions` runs them and has those of tables; `table.evening.actions` has
those of evenings.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, TypeVar, get_origin, get_type_hints

from scoring.errors import ScoringError
from store import (
    HandClosedError,
    MatchClosedError,
    MatchState,
    StoredEvening,
    Table,
    TableMatch,
    log,
    uploads,
)
from store import piles as stored
from table.access import Credentials, Role
from table.hand.piles import Piles, updated, with_count_expired
from table.requests import Field, Request, RequestError
from table.view import piles_of

READ_AGAIN = ""
"""The name of an upload without a file: the photos of its hand are to be read again."""


@dataclass(eq=False)
class ScreenChangedError(ScoringError):
    """The table changed after the user's screen was rendered."""

    message = "expected the table as it was shown, but it has changed: look again"


@dataclass(frozen=True, kw_only=True)
class Action:
    """An entry of the registry."""

    name: str
    run: Callable[..., None]
    fields: Mapping[str, Field]
    """How its annotated parameters are read from JSON."""
    by: frozenset[Role]
    """The roles that may do it."""
    of: str
    """What it changes: a "hand", "match", "table" or "evening". If the hand or match on the screen
    is over by now, an action on it is refused (`ActionContext.check`). An action of an evening gets
    an `EveningContext`, all others an `ActionContext`."""
    over_http: bool
    """Whether phones may send it. If not, only pages of the server use it."""


ACTIONS: dict[str, Action] = {}
"""Every action by its name."""

A = TypeVar("A", bound=Callable[..., None])


def action(
    name: str, *, by: frozenset[Role], of: str = "hand", over_http: bool = True
) -> Callable[[A], A]:
    """Register a function as an action; its annotated parameters are its payload."""

    def register(run: A) -> A:
        hints = get_type_hints(run, include_extras=True).items()
        fields = {one: hint.__metadata__[0] for one, hint in hints if get_origin(hint) is Annotated}
        ACTIONS[name] = Action(name=name, run=run, fields=fields, by=by, of=of, over_http=over_http)
        return run

    return register


@dataclass(frozen=True)
class EveningContext:
    """An evening in its write transaction."""

    evening: StoredEvening
    request: Request
    credentials: Credentials


@dataclass(frozen=True)
class ActionContext:
    """A table in its write transaction, with the request and the screen it was made on."""

    table: Table
    request: Request
    role: Role
    credentials: Credentials

    @cached_property
    def match(self) -> TableMatch:
        """The current match, or that of the hand being edited."""
        number = self.request.match_no if self.request.is_editing else None
        return log.match_numbered(self.table, number)

    @cached_property
    def state(self) -> MatchState:
        """The match replayed from its log."""
        return log.match_state(self.table, self.match.match_no)

    @property
    def log_revision(self) -> int:
        """The log revision that the next change of the match must expect."""
        return log.last_revision(self.table)

    @property
    def is_editing(self) -> bool:
        """Whether the hand on the screen was confirmed before."""
        return self.request.is_editing and self.request.hand_no <= self.match.hands

    @property
    def hand_no(self) -> int:
        """The hand being played or edited."""
        return self.request.hand_no if self.is_editing else self.match.hands + 1

    @property
    def side(self) -> int:
        """The side whose pile is on the screen."""
        return min(self.request.side, len(self.match.sides) - 1)

    @property
    def device(self) -> str:
        """The name of the side that holds the phone; empty if it is not known."""
        names = self.table.side_names
        me = self.request.me
        return names[me] if me is not None and me < len(names) else ""

    def check(self, of: str) -> None:
        """Refuse a request from a screen of a match or a hand that is over.

        Raises:
            MatchClosedError, HandClosedError: The match or the hand is over.
            DroppedRulesError: The match plays a setting that the rules no longer have.
        """
        if of != "table" and self.match.match_no != self.request.match_no:
            raise MatchClosedError(self.request.match_no, current=self.match.match_no)
        if of != "table":
            log.check_scored(self.match)
        if of == "hand" and self.hand_no != self.request.hand_no:
            raise HandClosedError(self.request.hand_no, current=self.hand_no)

    def check_screen(self, revision: int) -> None:
        """Raise ScreenChangedError if the table changed after a screen of this revision.

        The request's own transaction has already raised the revision by one.
        """
        if self.table.revision != revision + 1:
            raise ScreenChangedError

    def check_log(self, revision: int) -> None:
        """Raise ScreenChangedError if the match changed after a screen of this log revision."""
        if self.log_revision != revision:
            raise ScreenChangedError

    def check_side(self, name: str, side: int) -> int:
        """Return the side that was sent in the field `name`; RequestError if there is none."""
        most = len(self.match.sides) - 1
        if side > most:
            raise RequestError(name, expected=f"a whole number from 0 to {most}", came=side)
        return side

    def confirmed_hand(self) -> int:
        """Return the number of the hand on the screen; RequestError if it is not confirmed."""
        if not self.is_editing:
            raise RequestError("hand", expected="a confirmed one", came=self.request.hand_no)
        return self.request.hand_no

    def update_piles(self, change: Callable[[Piles], Piles]) -> None:
        """Change the piles of the hand, with everything that follows from the change."""
        update_piles(self.table, self.match, self.hand_no, change, device=self.device)

    def enqueue(self, data: bytes, *, name: str) -> None:
        """Queue a photo of the pile on the screen for the workers."""
        uploads.add(
            self.table,
            data,
            key=self.request.key,
            name=name,
            match_no=self.match.match_no,
            hand_no=self.hand_no,
            side=self.side,
            is_mending=self.is_editing,
            device=self.device,
        )


def update_piles(
    table: Table,
    match: TableMatch,
    hand_no: int,
    change: Callable[[Piles], Piles],
    *,
    device: str = "",
) -> None:
    """Change the stored piles of a hand, in the table's write transaction."""
    drafts = stored.drafts(table, match_no=match.match_no, hand_no=hand_no)
    before = piles_of(drafts, sides=len(match.sides))
    after = with_count_expired(before, updated(change(before)))
    pairs = enumerate(zip(before, after, strict=True))
    changed = {side: new.to_dict() for side, (old, new) in pairs if new != old}
    stored.put_drafts(table, changed, match_no=match.match_no, hand_no=hand_no, device=device)
