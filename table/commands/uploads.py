"""What taps do to photos: into the queue of the readers, out of a pile, into another one."""

from store import Store
from table.commands.drafts import change
from table.piles import Piles, given
from table.roles import by_scorers
from table.sitting import Sitting

READ_AGAIN = ""
"""The name of a file in the queue of the readers that is none: the photos of its hand that are
there already are to be read again."""


@by_scorers
def keep_photo(store: Store, sitting: Sitting, *, data: bytes, key: str, name: str) -> None:
    """Puts a photo of the pile on the screen into the queue of the readers.

    The same key again puts none in.
    """
    store.put_upload(
        sitting.table,
        data,
        key=key,
        name=name,
        match_no=sitting.row.match_no,
        hand_no=sitting.hand_no,
        side=sitting.side,
        is_mending=sitting.mending is not None,
        device=sitting.device,
    )


@by_scorers
def remove_photo(store: Store, sitting: Sitting, *, photo: int, key: str) -> None:
    """Takes a photo of the pile on the screen out of its draft, and what was seen on it.

    What it told of the other photos goes with it: they are put into the queue of the readers, under
    a key of the sender's, to be looked at again without it.
    """
    change(store, sitting, how=lambda piles: _without(piles, sitting.side, photo=photo))
    if any(set(draft.photos) - {photo} for draft in sitting.piles):
        keep_photo(store, sitting, data=b"", key=key, name=READ_AGAIN)


def _without(piles: Piles, side: int, *, photo: int) -> Piles:
    return given(piles, side, draft=piles[side].without_photo(photo))


@by_scorers
def forget_photo(store: Store, sitting: Sitting, *, upload: int) -> None:
    """Says no more of a photo that was refused or came late."""
    store.forget_upload(sitting.table, upload)


@by_scorers
def take_up_photo(store: Store, sitting: Sitting, *, upload: int) -> None:
    """Lets a photo whose hand was over before it was read be read into the pile on the screen."""
    store.take_up_upload(
        sitting.table,
        upload,
        match_no=sitting.row.match_no,
        hand_no=sitting.hand_no,
        side=sitting.side,
        is_mending=sitting.mending is not None,
    )
