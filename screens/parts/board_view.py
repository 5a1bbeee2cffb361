"""The board in pieces of HTML: scores, the last hand, who is awaited, how to join."""

from urllib.parse import urlsplit

import segno
import streamlit as st

from scoring.ending import Reason
from scoring.match import Match
from scoring.needs import needs
from screens.addresses import given_address, lan_address
from screens.look import theme
from screens.parts import lines
from screens.words import say
from table.sitting import Sitting

COINS = 28
"""Coins that fall for the winner, once."""


def board(sitting: Sitting) -> str:
    """Gives HTML of the whole board."""
    winner = sitting.match.winner
    head = "" if winner is None else _winner(sitting, winner)
    boxes = "".join(_side(sitting, side) for side in range(len(sitting.names)))
    return (
        f'{head}<div class="board n{len(sitting.names)}">{boxes}</div>'
        f'<div class="below">{_last(sitting)}{_join(sitting.code)}</div>'
    )


def _side(sitting: Sitting, side: int) -> str:
    match = sitting.match
    total, target = match.totals[side], match.rules.target
    made = match.scores[match.counted - 1].points[side] if match.hands else 0
    part = min(100, round(100 * total / target))
    won = " won" if match.winner == side else ""
    plus = f'<span class="plus">+{made}</span>' if match.hands else ""
    return (
        f'<div class="box{won}"><h2>{theme.safe(sitting.names[side])}</h2>'
        f'<div class="big">{total}{plus}</div>'
        f'<div class="bar" role="img" aria-label="{total} / {target}">'
        f'<i style="width:{part}%"></i></div>'
        f'<div class="need">{_need(sitting, side)}</div></div>'
    )


def _need(sitting: Sitting, side: int) -> str:
    """What the side lacks to end the match, once it is ahead; and its scope in this hand."""
    told = "needs_perdere" if sitting.match.rules.perdere else "needs"
    said = [say(told, n=need.points) for need in needs(sitting.match) if need.side == side]
    if sitting.scope[side]:
        said.append(f"{say('scope_made')} <b>{sitting.scope[side]}</b>")
    return " · ".join(said)


def _last(sitting: Sitting) -> str:
    match = sitting.match
    title, told = "", ""
    if match.hands:
        title = say("last_hand", hand=match.counted)
        told = lines.short(match.scores[match.counted - 1], match.names)
    return f'<div class="last"><h3>{title}</h3>{told}<p class="now">{_now(sitting)}</p></div>'


def _now(sitting: Sitting) -> str:
    if sitting.match.winner is not None:
        return ""
    dealer = theme.safe(sitting.names[sitting.dealer])
    said = say("dealing", dealer=dealer, hand=sitting.hand_no)
    left = sitting.waiting
    if len(left) < len(sitting.names):
        names = ", ".join(theme.safe(sitting.names[side]) for side in left)
        said += " · " + (say("still_to_snap", names=names) if names else say("all_snapped"))
    return said


def _join(code: str) -> str:
    url = join_url(code)
    drawn = segno.make(url, error="m").svg_data_uri(scale=4, border=2, dark="#123c2e")
    return (
        f'<div class="join"><img src="{drawn}" alt="QR {theme.safe(url)}">'
        f"<b>{theme.safe(code)}</b><span>{say('join_here')}</span></div>"
    )


def join_url(code: str) -> str:
    """Gives the address that a phone opens to join."""
    here = urlsplit(str(st.context.url or ""))
    seen = f"{here.scheme}://{here.netloc}" if here.netloc else ""
    host = here.hostname or "localhost"
    on_this_computer = host in {"localhost", "::1"} or host.startswith("127.")
    address = given_address() or (lan_address() if on_this_computer else seen)
    return f"{address or seen}/?table={code}"


def _winner(sitting: Sitting, winner: int) -> str:
    coins = "".join(
        f'<span class="face f7d coin" style="left:{i * 61.8 % 94:.0f}%;'
        f"animation-delay:{i * 0.37 % 1.6:.2f}s;"
        f'width:{34 + i % 4 * 8}px;height:{64 + i % 4 * 15}px"></span>'
        for i in range(COINS)
    )
    name = theme.safe(sitting.names[winner])
    totals = zip(sitting.names, sitting.match.totals, strict=True)
    standings = " · ".join(f"{theme.safe(n)} {t}" for n, t in totals)
    return (
        f'<div class="joy" aria-hidden="true">{coins}</div><div class="winner">'
        f"<h1>{say('winner', name=name)}</h1>"
        f"<p>{say('winner_line', standings=standings, n=sitting.match.counted)}</p>"
        f"{''.join(f'<p>{line}</p>' for line in _how_it_ended(sitting.match))}</div>"
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
