"""The board in pieces of HTML: scores, the last hand, who is awaited, how to join."""

from markupsafe import Markup

from scoring.ending import Reason
from scoring.match import Match
from scoring.needs import needs
from screens import state
from screens.parts import joining, lines
from screens.words import say
from table.sitting import Sitting

COINS = 28
"""Coins that fall for the winner, once."""


def board(sitting: Sitting) -> Markup:
    """Gives HTML of the whole board."""
    winner = sitting.match.winner
    return Markup(
        '{head}<div class="board n{count}">{boxes}</div><div class="below">{last}{join}</div>'
    ).format(
        head="" if winner is None else _winner(sitting, winner),
        count=len(sitting.names),
        boxes=Markup("").join(_side(sitting, side) for side in range(len(sitting.names))),
        last=_last(sitting),
        join=_join(sitting.code),
    )


def _side(sitting: Sitting, side: int) -> Markup:
    match = sitting.match
    total, target = match.totals[side], match.rules.target
    made = match.scores[match.counted - 1].points[side] if match.hands else 0
    return Markup(
        '<div class="box{won}"><h2 translate="no">{name}</h2><div class="big">{total}{plus}</div>'
        '<div class="bar" role="img" aria-label="{total} / {target}">'
        '<i style="width:{percent}%"></i></div><div class="need">{need}</div></div>'
    ).format(
        won=" won" if match.winner == side else "",
        name=sitting.names[side],
        total=total,
        plus=Markup('<span class="plus">+{}</span>').format(made) if match.hands else "",
        target=target,
        percent=min(100, round(100 * total / target)),
        need=_need(sitting, side),
    )


def _need(sitting: Sitting, side: int) -> Markup:
    """What the side lacks to end the match, once it is ahead; and its scope in this hand."""
    told = "needs_perdere" if sitting.match.rules.perdere else "needs"
    said = [say(told, n=need.points) for need in needs(sitting.match) if need.side == side]
    if sitting.scope[side]:
        said.append(scope_made(sitting, side))
    return Markup(" · ").join(said)


def scope_made(sitting: Sitting, side: int) -> Markup:
    """Gives HTML of the scope that a side has made in this hand."""
    return Markup("{} <b>{}</b>").format(say("scope_made"), sitting.scope[side])


def _last(sitting: Sitting) -> Markup:
    match = sitting.match
    title, told = "", Markup("")
    if match.hands:
        title = say("last_hand", hand=match.counted)
        told = lines.short(match.score(match.counted - 1, lang=state.language()), match.names)
    return Markup('<div class="last"><h3>{}</h3>{}<p class="now">{}</p></div>').format(
        title, told, _now(sitting)
    )


def _now(sitting: Sitting) -> str:
    if sitting.match.winner is not None:
        return ""
    said = say("dealing", dealer=sitting.names[sitting.dealer], hand=sitting.hand_no)
    left = sitting.agenda.awaited
    if len(left) < len(sitting.names):
        names = ", ".join(sitting.names[side] for side in left)
        said += " · " + (say("still_to_snap", names=names) if names else say("all_snapped"))
    return said


def _join(code: str) -> Markup:
    url = joining.join_url(code)
    return Markup(
        '<div class="join">{drawn}<b translate="no">{code}</b><span>{here}</span></div>'
    ).format(
        drawn=joining.qr_code(url, alt=say("qr_code", url=url)), code=code, here=say("join_here")
    )


def _winner(sitting: Sitting, winner: int) -> Markup:
    totals = zip(sitting.names, sitting.match.totals, strict=True)
    standings = " · ".join(f"{name} {total}" for name, total in totals)
    ended = (Markup("<p>{}</p>").format(line) for line in _how_it_ended(sitting.match))
    return Markup(
        '<div class="joy" aria-hidden="true">{coins}</div>'
        '<div class="winner"><h1>{winner}</h1><p>{line}</p>{ended}</div>'
    ).format(
        coins=Markup("").join(map(_coin, range(COINS))),
        winner=say("winner", name=sitting.names[winner]),
        line=say("winner_line", standings=standings, n=sitting.match.counted),
        ended=Markup("").join(ended),
    )


def _coin(number: int) -> Markup:
    """Gives HTML of one falling coin; place, delay and size differ from those of the others."""
    size = number % 4
    return Markup(
        '<span class="face f7d coin" style="left:{left:.0f}%;animation-delay:{delay:.2f}s;'
        'width:{width}px;height:{height}px"></span>'
    ).format(
        left=number * 61.8 % 94,
        delay=number * 0.37 % 1.6,
        width=34 + 8 * size,
        height=64 + 15 * size,
    )


def _how_it_ended(match: Match) -> list[str]:
    """What the totals alone do not tell: why that side won, and hands that no longer count."""
    said = []
    ending = match.ending
    if ending is not None and ending.reason is not Reason.HIGHEST:
        points = " : ".join(map(str, match.scores[ending.hand_no].points))
        said.append(say(f"won_{ending.reason}", points=points))
    if match.counted < len(match.hands):
        said.append(say("after_end", hand=match.counted))
    return said
