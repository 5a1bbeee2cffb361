"""One picture of a pile on a table, with the four corners of every card, hidden ones too.

1. `layouts`         how people spread a pile
2. `surfaces`        tables to lay cards on
3. `camera`          where the camera stands and what it gets into the frame
4. `light`           what light, lens and phone do to a picture
5. `cardstock`       cards as things: paper, rounding, wear, bending, shadow
6. `human_hands`     hands that reach in or hold a card
7. `printed_matter`  newspapers, covers and boxes, none of them a card
8. `clutter`         things on a table that are no card
9. `scene`           all of it put together
"""
