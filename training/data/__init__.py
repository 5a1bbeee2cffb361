"""What the stages are trained on and measured with, on disk.

1. `shards`    a file of generated pictures and what is known about them
2. `boxes`     boxes as the locate network draws them: a little off, badly off, around no card
3. `crops`     straightened cards of scenes, and bits of bare table
4. `recolour`  a crop as another printing would show it
5. `generate`  writes shards of scenes
6. `photos`    writes a shard of real photos
7. `heldout`   writes piles of printings kept out of training, to measure with
8. `taught`    writes those decks laid out to be taught, and piles of them
"""
