"""The board in pieces of HTML: scores, the last hand, who is awaited, how to join."""

from datetime import UTC, datetime

from markupsafe import Markup

from scoring.match import Match, Reason, needs
from screens import state
from screens.parts import joining, lines
from screens.words import say
from table.sitting import Sitting

COINS = 28
"""Coins that fall for the winner, once."""


def board(sitting: Sitting) -> Markup:
    """Gives HTML of the whole board."""
    winner = sitting.match.winner
    names, totals = sitting.names, sitting.match.totals
    return Markup(
        '<div class="whole" tabindex="0">{head}<div class="board n{count}" style="--count:{count};'
        '--digits:{digits};--letters:{letters}">{boxes}</div>'
        '<div class="below">{last}{join}</div></div>'
    ).format(
        head=_now(sitting) if winner is None else _winner(sitting, winner),
        count=len(names),
        digits=max(2, *(len(str(total)) for total in totals)),
        letters=max(map(len, names)),
        boxes=Markup("").join(_side(sitting, side) for side in range(len(names))),
        last=_last(sitting),
        join=_join(sitting.code),
    )


def _side(sitting: Sitting, side: int) -> Markup:
    match = sitting.match
    total, target = match.totals[side], match.rules.target
    made = match.scores[match.counted - 1].points[side] if match.hands else 0
    return Markup(
        '<div class="box{won}"><div class="side-of"><div class="head">'
        '<h2 translate="no">{name}</h2>{plus}</div>'
        '<div class="big" data-total="{side}">{total}</div>'
        '<div class="bar" role="img" aria-label="{total} / {target}">'
        '<i style="width:{percent}%"></i></div><div class="need">{need}</div></div></div>'
    ).format(
        won=" won" if match.winner == side else "",
        name=sitting.names[side],
        side=side,
        total=total,
        plus=Markup('<span class="plus">+{}</span>').format(made) if made else "",
        target=target,
        percent=min(100, round(100 * total / target)),
        need=_need(sitting, side),
    )


def _need(sitting: Sitting, side: int) -> Markup:
    """What the side lacks to end the match, its scope in this hand, and whether it deals."""
    if sitting.match.winner is not None:
        return Markup("")
    told = "needs_perdere" if sitting.match.rules.perdere else "needs"
    said = [say(told, n=need.points) for need in needs(sitting.match) if need.side == side]
    said.append(scope_made(sitting, side))
    if sitting.dealer == side:
        said.append(Markup('<span class="deals">{}</span>').format(say("dealer_here")))
    return Markup("").join(Markup("<span>{}</span>").format(one) for one in said)


def scope_made(sitting: Sitting, side: int) -> Markup:
    """Gives HTML of the scope that a side has made in this hand; hidden while there is none."""
    made = Markup('<span data-scope="{}" {}>{} <b>{}</b></span>')
    hidden = "" if sitting.scope[side] else "hidden"
    return made.format(side, hidden, say("scope_made"), sitting.scope[side])


def _last(sitting: Sitting) -> Markup:
    match = sitting.match
    if not match.hands:
        return Markup('<div class="last"></div>')
    title = say("last_hand", hand=match.counted)
    score = match.score(match.counted - 1, lang=state.language())
    told = lines.tiles(score, match.names)
    return Markup('<div class="last"><h3>{}</h3>{}</div>').format(title, told)


def _now(sitting: Sitting) -> Markup:
    """Gives HTML of the line on top: the hand being played, who has to snap, the clock.

    Of a table that is closed it says so.
    """
    if sitting.table.is_closed:
        return Markup('<div class="now"><span>{}</span></div>').format(say("closed_board"))
    said = [say("dealing", dealer=sitting.names[sitting.dealer], hand=sitting.hand_no)]
    left = sitting.agenda.awaited
    if len(left) < len(sitting.names):
        names = ", ".join(sitting.names[side] for side in left)
        said.append(say("still_to_snap", names=names) if names else say("all_snapped"))
    else:
        said.append(say("played_to", target=sitting.match.rules.target))
    return Markup('<div class="now"><span>{}</span>{}</div>').format(
        " · ".join(said), _clock(sitting)
    )


def _clock(sitting: Sitting) -> Markup:
    """Gives HTML of how long the match has lasted; `board.js` has it go on while it is played."""
    row = sitting.row
    begun = state.store().log_of(sitting.table)[0].made_at
    is_over = sitting.match.winner is not None
    end = row.hands[sitting.match.counted - 1].made_at if is_over else datetime.now(UTC)
    return Markup(
        '<span class="clock">{label} '
        '<time class="{going}" data-begun="{begun}">{told}</time></span>'
    ).format(
        label=say("lasted" if is_over else "clock"),
        going="" if is_over else "going",
        begun=round(begun.timestamp() * 1000),
        told=hours_minutes(round((end - begun).total_seconds())),
    )


def hours_minutes(seconds: int) -> str:
    """Gives a time as a clock shows it.

    >>> hours_minutes(59), hours_minutes(3900)
    ('0:00', '1:05')
    """
    return f"{seconds // 3600}:{seconds % 3600 // 60:02}"


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
    closed = [say("closed_board")] if sitting.table.is_closed else []
    lines_told = [*_how_it_ended(sitting.match), *closed]
    ended = (Markup("<p>{}</p>").format(line) for line in lines_told)
    return Markup(
        '<div class="joy" aria-hidden="true">{coins}</div>'
        '<div class="winner"><h1>{winner}</h1><p>{line} · {clock}</p>{ended}</div>'
    ).format(
        coins=Markup("").join(map(_coin, range(COINS))),
        winner=say("winner", name=sitting.names[winner]),
        line=say("winner_line", standings=standings, n=sitting.match.counted),
        clock=_clock(sitting),
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
