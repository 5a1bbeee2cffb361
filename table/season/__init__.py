"""Many matches: `statistics` counts them, `exchange` is the file of one, `spreadsheet` has CSV."""
