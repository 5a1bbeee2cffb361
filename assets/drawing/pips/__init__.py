"""The pips: the signs of the suits, and the great ones of the aces.

1. `coins`         denari: roundels, and the eagle of the ace
2. `cups`          coppe: chalices, and the covered cup of the ace
3. `swords`        spade: straight swords, and the crowned sword of the ace
4. `batons`        bastoni: clubs, and the great club of the ace
5. `french_suits`  diamond, heart, spade and club
"""
