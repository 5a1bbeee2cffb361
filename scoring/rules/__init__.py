"""The rules a table plays by, and how they are told.

1. `choices`   the settings that are a choice among words
2. `checks`    every setting in its range, and no two that contradict each other
3. `rules`     `Rules`, one frozen set of settings
4. `presets`   the `PRESETS` that ship, and `read_rules`: a preset's name or a mapping -> `Rules`
5. `describe`  a rule set in sentences
"""

from scoring.rules.presets import DEFAULT, PRESETS, preset_table, read_rules
from scoring.rules.rules import SEATINGS, Rules

__all__ = ["DEFAULT", "PRESETS", "SEATINGS", "Rules", "preset_table", "read_rules"]
