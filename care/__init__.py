"""For whoever runs Settebello: the commands beside the app itself.

- `doctor`   what is wrong with this installation, and what to do
- `command`  `settebello` with its subcommands; without one it starts the app
"""
