"""The rules a table plays by.

1. `choices`     the settings that are a choice among words
2. `checks`      every setting in its range, and no two that contradict each other
3. `rules`       `Rules`, one frozen set of settings, and the `PRESETS` that ship
4. `rule_words`  the sentences
5. `describe`    a rule set in sentences
"""

from scoring.rules.rules import PRESETS, SEATINGS, Rules, preset, preset_table

__all__ = ["PRESETS", "SEATINGS", "Rules", "preset", "preset_table"]
