"""Parts of pages: functions that draw a part of a table's view, or return its HTML."""
