"""What is done to the club: tables closed by its organiser, and rules of the house's own."""

from scoring.errors import ScoringError
from scoring.rules import Rules
from store import Store
from table.roles import Pass, by_organisers
from table.sitting import Sitting


class KeptRulesError(ScoringError):
    """Rules that the club keeps are the organiser's to change.

    Attributes:
        name: What they are called.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(
            f"expected the organiser of the club to change the rules {name!r}, got somebody else: "
            "keep yours under another name"
        )


@by_organisers
def close_table(store: Store, sitting: Sitting) -> None:
    """Closes a table: its scorers may only look from now on. Closed twice, it is closed once."""
    store.close_table(sitting.table)


@by_organisers
def open_again(store: Store, sitting: Sitting) -> None:
    """Opens a closed table again: its scorers go on where they were."""
    store.open_again(sitting.table)


def keep_rules(store: Store, rules: Rules, *, held: Pass, is_led: bool) -> None:
    """Keeps rules of the house's own by their name.

    Args:
        store: Where they are kept.
        rules: The rules.
        held: What the phone shows of itself.
        is_led: Whether the club has an organiser: then only the organiser changes what is kept.

    Raises:
        KeptRulesError: Rules of that name are kept, and it is not the organiser.
    """
    if is_led and not held.is_organiser and rules.name in store.house_rules():
        raise KeptRulesError(rules.name)
    store.keep_rules(rules)


def forget_rules(store: Store, name: str, *, held: Pass, is_led: bool) -> None:
    """Offers rules of the house's own no more; raises as `keep_rules`."""
    if is_led and not held.is_organiser:
        raise KeptRulesError(name)
    store.forget_rules(name)
