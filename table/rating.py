"""A rating of the players of a season, with its uncertainty. Pure: results in, ratings out.

openskill's Plackett-Luce: every match moves the ratings of both sides, of a team those of all its
players, the more the less they were expected to win.
"""

from collections.abc import Iterable

from openskill.models import PlackettLuce, PlackettLuceRating

from table.season import Result

MODEL = PlackettLuce()


def ratings(results: Iterable[Result]) -> dict[str, PlackettLuceRating]:
    """The rating of each player by `Standing.player`: `mu`, and `sigma`, its uncertainty.

    Args:
        results: The matches, in the order in which they were played.
    """
    found: dict[str, PlackettLuceRating] = {}
    for result in results:
        teams = [[found.get(one) or MODEL.rating() for one in team] for team in result.players]
        ranks = [float(side not in result.first) for side in range(len(teams))]
        for team, rated in zip(result.players, MODEL.rate(teams, ranks=ranks), strict=True):
            found |= dict(zip(team, rated, strict=True))
    return found
