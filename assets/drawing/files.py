"""Every file that the drawings make, by its place in assets/."""

from assets.drawing.back import card_back
from assets.drawing.french import SIZE_WH as FRENCH_WH
from assets.drawing.french import french_card
from assets.drawing.icon import icon
from assets.drawing.italian import CORNER, italian_card
from assets.drawing.italian import SIZE_WH as ITALIAN_WH
from scoring.cards import CODES


def all_files() -> dict[str, str]:
    """Gives the text of every drawing by its path below assets/.

    >>> sorted(all_files())[0], len(all_files())
    ('french/10b.svg', 83)
    """
    files = {f"italian/{code}.svg": italian_card(code) for code in CODES}
    files |= {f"french/{code}.svg": french_card(code) for code in CODES}
    files["italian/back.svg"] = card_back(ITALIAN_WH, corner=CORNER)
    files["french/back.svg"] = card_back(FRENCH_WH, corner=16)
    files["icon.svg"] = icon()
    return files
