"""Every sentence the screens say, by key, so that another language is one more column.

A key that ends in `_one` is taken by itself when `n` is 1.
"""

# ruff: noqa: E501  a sentence stays in one piece, so that it can be found and translated
from collections.abc import Iterable, Mapping

from assets.deck import card_name

ENGLISH: Mapping[str, str] = {
    # open or join
    "title": "Settebello",
    "tagline": "Snap the piles, see the score. Every point says why.",
    "open_head": "Open a table",
    "sides": "How many sides?",
    "sides_help": "A side is a player or a team.",
    "name": "Name of side {n}",
    "name_one": "Side 1, deals first",
    "default_name_0": "We",
    "default_name_1": "They",
    "default_name_2": "Third",
    "default_name_3": "Fourth",
    "rules": "House rules",
    "target": "Played to",
    "open": "Open the table",
    "same_names": "Two sides are called {name}. Give each its own name.",
    "join_head": "Join a table",
    "code": "Code of the table",
    "join": "Join",
    "no_code": "Type the code of four characters that stands on the board, or scan its QR code.",
    "joining": "Table {code}: {names}",
    "who_holds": "Who holds this phone?",
    "nobody_holds": "Nobody: it is the board",
    "rules_silver-lake": "Scopa, the usual",
    "rules_scopa-online": "Scopa, as played online",
    "rules_wikipedia": "Scopa, forced captures",
    "rules_american-sevens": "American, most sevens",
    "rules_napoletana": "Napoletana: napola and re bello",
    "rules_scopone-scientifico": "Scopone scientifico, two teams",
    "rules_escoba": "Escoba: captures to fifteen",
    "recent_head": "Earlier tables",
    "recent": "{standings} · table {code}",
    "go_on_table": "Go on: {standings}",
    "home": "All tables",
    # the band on top
    "band": "<b>{code}</b> · hand {hand} · {dealer} deals",
    "band_over": "<b>{code}</b> · {winner} won",
    "band_edit": "<b>{code}</b> · mending hand {hand}",
    "board": "Board",
    "history": "Hands",
    "play": "Play",
    # play
    "to_target": "to {target}",
    "scope_count": "scope <b>{n}</b>",
    "scopa": "+ scopa",
    "scopa_undo": "undo scopa",
    "waiting": "pile: waiting",
    "captured": "{n} cards ✓",
    "captured_one": "1 card ✓",
    "asks": "{n} to answer",
    "asks_one": "1 to answer",
    "hand_over": "Hand is over: snap",
    "go_on": "Go on with the piles",
    # capture
    "snap_head": "{name}'s pile",
    "snap_help": "Spread the pile so that every card shows at least one corner. Several photos are fine.",
    "snap": "Take or choose photos of {name}'s pile",
    "snap_short": "Take or choose photos",
    "camera": "Use the camera of this device",
    "camera_help": "Works on this computer or over https. On a phone the big button is better: it takes the full picture.",
    "sample": "Try with a sample photo",
    "sample_pick": "Which sample?",
    "sample_use": "Read this sample as {name}'s pile",
    "by_hand": "No photo: tap the cards",
    "to_review": "See {name}'s cards",
    "reading": "Reading the cards…",
    "photo_failed": "{why} Nothing else is lost. Take the photo again, or tap the cards.",
    "no_reader": "The camera's networks are not installed here ({why}). Tap the cards instead: everything else works.",
    "photo_again": "A photo of this pile came again. It was read anew and counts once.",
    "photos_taken": "{n} photos of this pile",
    "photos_taken_one": "1 photo of this pile",
    "photo_drop": "Remove photo {n}",
    # review
    "counts_here": "{n} here",
    "counts_other": "{n} {name}",
    "counts_missing": "{n} missing",
    "questions": "{n} questions",
    "questions_one": "1 question",
    "idle": "{n} doubts can wait · show",
    "idle_one": "1 doubt can wait · show",
    "is_this": "Is this the {card}?",
    "yes": "Yes, {card}",
    "yes_to_all": "Yes to all {n}",
    "in_other": "{card} (now {name})",
    "other": "other…",
    "no_card": "no card of this pile",
    "no_card_short": "no card",
    "doubled_head": "The {card} lies in two piles. Whose is it?",
    "lost": "{n} cards lie in no pile",
    "lost_one": "1 card lies in no pile",
    "lost_head": "Whose is the {card}?",
    "all_of": "All {name}'s",
    "face_down": "{n} cards lie face down: turn them and snap again, or tap them below.",
    "face_down_one": "1 card lies face down: turn it and snap again, or tap it below.",
    "strangers": "{n} cards are not Scopa cards: they are left out.",
    "strangers_one": "1 card is not a Scopa card: it is left out.",
    "unread": "{n} cards cannot be read: tap them on the photo and say which they are.",
    "unread_one": "1 card cannot be read: tap it on the photo and say which it is.",
    "picker_head": "Tap to put in or take out",
    "picker_card": "{card}: {state}",
    "state_here": "in this pile",
    "state_ask": "to answer",
    "state_two": "in two piles",
    "state_other": "{name}'s pile",
    "state_none": "in no pile",
    "rest": "The rest ({n}) is {name}'s",
    "rest_one": "The rest (1 card) is {name}'s",
    "count_head": "Count {name}'s pile: {n} cards?",
    "count_head_one": "Count {name}'s pile: 1 card?",
    "count_yes": "Yes, {n}",
    "count_less": "{name} has {count}: {n} cards of another pile were not seen. Tap them there, or snap it again.",
    "count_less_one": "{name} has {count}: 1 card of another pile was not seen. Tap it there, or snap it again.",
    "count_more": "{name} has {count}: {n} cards too many were seen in another pile. Tap them out there.",
    "count_more_one": "{name} has {count}: 1 card too many was seen in another pile. Tap it out there.",
    "count_number": "Cards in the pile",
    "count_ok": "That many",
    "nobodys": "Nobody's",
    "told_absent": "Nobody's, as somebody said: {cards}.",
    "count_again": "Count again",
    "count_first": "Count {name}'s pile first",
    "next_pile": "Looks right: {name}'s pile",
    "next_pile_later": "Answer later: {name}'s pile",
    "tap_first": "No card here yet",
    "to_points": "Looks right: points",
    "answer_first": "{n} questions to answer first",
    "answer_first_one": "1 question to answer first",
    "settle_first": "{n} cards have no side yet",
    "settle_first_one": "1 card has no side yet",
    "choose_head": "Which card is this?",
    "choose_card": "it is the {card}",
    "photo_tap": "Tap a card on the photo to change it.",
    # points
    "points_head": "Points of hand {hand}",
    "nobody": "nobody",
    "wins": "{name} wins the match!",
    "confirm": "Confirm hand {hand}",
    "confirm_edit": "Save hand {hand} as mended",
    "not_yet": "Not ready: back to the piles",
    "still_asks": "{name}'s pile has {n} questions to answer.",
    "still_asks_one": "{name}'s pile has 1 question to answer.",
    "still_doubled": "In two piles: {cards}. Say whose they are.",
    "still_doubled_one": "In two piles: {cards}. Say whose it is.",
    "still_waiting": "{name}'s pile is not there yet.",
    "still_missing": "{n} cards in no pile could change a point: {cards}. Whose are they?",
    "still_missing_one": "1 card in no pile could change a point: {cards}. Whose is it?",
    "idle_missing": "{n} cards lie in no pile: {cards}. No point hangs on them.",
    "idle_missing_one": "1 card lies in no pile: {cards}. No point hangs on it.",
    "scope_head": "Scope",
    "scope_minus": "− scopa",
    "scope_plus": "+ scopa",
    # conflict
    "conflict": "Two phones sent hand {hand}. One was first and stands; the other is kept as a proposal: compare.",
    "conflict_named": "Two phones sent hand {hand}. {name}'s was first and stands; the other is kept as a proposal: compare.",
    "compare": "Compare",
    "too_late": "Hand {hand} came when its match was over on another phone, and does not count.",
    "conflict_early": "Hand {hand} is confirmed first: then this one can count.",
    "conflict_free": "Hand {hand} was sent while the match changed on another phone. It does not count yet.",
    "stands": "What stands",
    "stands_by": "What stands, sent by {name}",
    "proposal": "The proposal",
    "proposal_by": "The proposal, sent by {name}",
    "keep": "Keep what stands",
    "take": "Use the proposal instead",
    "leave_out": "Leave it out",
    "count_it": "Count hand {hand}",
    "difference": "Different: {cards}",
    "no_difference": "The piles are the same; only the scope differ.",
    "alike": "The piles and the scope are the same.",
    # board
    "needs": "{n} to go",
    "needs_perdere": "{n} short of losing",
    "last_hand": "Hand {hand}",
    "still_to_snap": "still to snap: {names}",
    "dealing": "{dealer} deals hand {hand}",
    "join_here": "scan to join",
    "next_hand": "Play hand {hand}",
    "winner": "{name} wins!",
    "winner_line": "{standings} after {n} hands",
    "won_last-hand": "more points in the last hand: {points}",
    "won_counted": "first across in the order of counting",
    "won_sudden-death": "the first point counted after the tie",
    "won_cappotto": "cappotto: so many points while the others have none",
    "won_outright": "a pile that wins the match at once",
    "won_lowest": "fewest points when the target was reached",
    "after_end": "The match ended with hand {n}: what was played after it does not count.",
    "after_end_row": "after the end, does not count",
    "winner_line_one": "{standings} after 1 hand",
    "rematch": "Rematch",
    "rematch_yes": "Yes, start the next match",
    # history
    "history_head": "Hands played",
    "history_empty": "No hand has been confirmed yet.",
    "hand_row": "Hand {hand}",
    "edit": "Mend hand {hand}",
    "undo": "Undo the last step",
    "undo_sure": "The hand confirmed or mended last goes back to what it was. Its piles stay as a draft.",
    "undo_yes": "Yes, undo",
    "undone": "Undone. The piles wait as a draft.",
    "redo": "Do it again",
    "redone": "Done again.",
    "leave": "Back to the match before",
    "leave_sure": "This match was opened by mistake: no hand stands in it. The match before it is played on.",
    "leave_yes": "Yes, go back to it",
    "left": "The match before is played on.",
    "match_row": "Match {match}, won by {name}",
    "match_open": "Match {match}, not played out",
    "rules_row": "Rules: {name}",
    "rules_own": "of this house",
    "to_play": "Back to the game",
    "all_snapped": "all piles are there",
    "other_asks": "{name}'s pile has {n} to answer",
    "saved": "Hand {hand} is in.",
    "back": "Back",
    "need_table": "Open or join a table first.",
    # what went wrong
    "error": "That did not work, and nothing was changed. Look at the table again and repeat it.",
    "error_EmptyPhotoError": "{name} is empty.",
    "error_NotAPhotoError": "{name} is {kind}, not a photo.",
    "error_TruncatedPhotoError": "{name} broke off on its way here.",
    "error_DamagedPhotoError": "{name} is damaged and cannot be read.",
    "error_PhotoTooLargeError": "{name} is larger than any phone's photo.",
    "error_TableNotFoundError": "There is no table {code}. The code stands on the board; it has no O, 0, I, 1 or L.",
    "error_StoreUnavailableError": "The store does not answer just now. Nothing was changed: try again.",
    "error_StoreUnwritableError": "The store cannot be written. Nothing was changed: tell whoever runs this computer.",
    "error_StaleDraftError": "Another phone changed the same pile at the same moment. Look, and tap again.",
    "error_HandClosedError": "Hand {hand_no} has just been confirmed; hand {current} is being played.",
    "error_MatchClosedError": "Match {match_no} is over; match {current} is being played.",
    "error_ScopeBelowZeroError": "There is no scopa to take back.",
    "error_MatchBegunError": "Hands of match {match_no} stand. Undo them first.",
    "error_NothingToUndoError": "There is nothing to undo.",
    "error_ModelError": "The file {path.name} is missing or of another version.",
    "error_MatchError": "The match is over: no hand can be added to it.",
    "error_RulesError": "These rules do not fit together. Choose another target or preset.",
}
"""The English sentences."""


def say(key: str, /, **values: object) -> str:
    """Gives the sentence of a key with its values filled in.

    >>> say("questions", n=1), say("questions", n=4)
    ('1 question', '4 questions')
    """
    one = f"{key}_one"
    chosen = one if values.get("n") == 1 and one in ENGLISH else key
    return ENGLISH[chosen].format(**values)


def why(error: Exception) -> str:
    """Gives the sentence for an error of ours, filled in from the data it carries."""
    key = f"error_{type(error).__name__}"
    return say(key if key in ENGLISH else "error", **vars(error))


def card(code: str) -> str:
    """Gives the name of a card as the table says it.

    >>> card("7d")
    'sette di denari'
    """
    return card_name(code, language="it")


def cards(codes: Iterable[str]) -> str:
    """Gives the names of several cards.

    >>> cards(["7d", "10s"])
    'sette di denari, re di spade'
    """
    return ", ".join(card(code) for code in codes)
