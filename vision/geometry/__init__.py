"""Geometry of cards in a picture: quadrilaterals, the plane of the table, upright crops.

1. `quads`       a card as a quadrilateral of four corners: sides, areas, overlaps, distances
2. `plane`       the plane of the table and the size of its cards, fitted to the cards seen
3. `coplanar`    hidden corners of a card put where the plane says they lie
4. `straighten`  a card seen at any angle -> upright crops by homography, whole and corners
"""
