"""The figures of the court cards.

1. `dress`   what the figures of each suit wear
2. `face`    faces seen from the front, with crowns and hats
3. `page`    fante: a standing page
4. `horse`   cavallo: a rider on a horse
5. `king`    re: a bearded king
6. `courts`  the French jack, queen and king
"""
