"""Everything that a tap can do to a table, a function a tap. Nothing else writes to the store.

A command takes the store and the `Sitting` that was on the screen. Piles are changed as they stand
in the store now, not as they were on the screen; what a phone saw says which match and hand it
meant. Every command may raise a leaf of `StoreError`, and then has changed nothing. The rooms, in
the order of a hand:

1. `matches`   tables, matches and the scorers' link
2. `drafts`    the piles of a hand that is not confirmed: scope, cards, answers, counts
3. `uploads`   photos: into the queue of the readers, out of a pile, into another one
4. `hands`     hands that are confirmed, or are about to be
5. `club`      tables closed by the organiser, rules of the house's own
"""

from table.commands.club import (
    KeptRulesError,
    close_table,
    forget_rules,
    keep_rules,
    open_again,
)
from table.commands.drafts import (
    add_scope,
    agree,
    answer,
    change,
    count_pile,
    give_card,
    give_rest,
    set_absent,
    set_card,
)
from table.commands.hands import (
    confirm,
    decide,
    open_for_mending,
    redo,
    replace_hand,
    take_out,
    undo,
)
from table.commands.matches import (
    leave_match,
    lend_photos,
    open_table,
    rematch,
    renew_link,
    show_drawing,
    take_over,
)
from table.commands.uploads import (
    READ_AGAIN,
    forget_photo,
    keep_photo,
    remove_photo,
    take_up_photo,
)

__all__ = [
    "READ_AGAIN",
    "KeptRulesError",
    "add_scope",
    "agree",
    "answer",
    "change",
    "close_table",
    "confirm",
    "count_pile",
    "decide",
    "forget_photo",
    "forget_rules",
    "give_card",
    "give_rest",
    "keep_photo",
    "keep_rules",
    "leave_match",
    "lend_photos",
    "open_again",
    "open_for_mending",
    "open_table",
    "redo",
    "rematch",
    "remove_photo",
    "renew_link",
    "replace_hand",
    "set_absent",
    "set_card",
    "show_drawing",
    "take_out",
    "take_over",
    "take_up_photo",
    "undo",
]
