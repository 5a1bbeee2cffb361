"""How much Settebello carries: stores as they are after years, tables in play, boards that wait.

Commands for whoever runs it for many; docs/operations.md has their figures. Not part of what is
installed.

1. `grown`    fills a store with matches that nobody played
2. `growth`   what each screen asks of a store, and what that costs however much there is
3. `server`   a server of its own, watched from outside
4. `fleet`    several servers behind nginx, with readers
5. `clients`  phones and boards, as the server sees them
6. `play`     tables in play: latencies, memory, errors
7. `idle`     boards open and nothing happening
"""
