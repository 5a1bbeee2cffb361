"""What the organiser of the club does to a table."""

from table.roles import by_organisers
from table.sitting import Sitting
from table.store import Store


@by_organisers
def close_table(store: Store, sitting: Sitting) -> None:
    """Closes a table: its scorers may only look from now on. Closed twice, it is closed once."""
    store.close_table(sitting.table)


@by_organisers
def open_again(store: Store, sitting: Sitting) -> None:
    """Opens a closed table again: its scorers go on where they were."""
    store.open_again(sitting.table)
