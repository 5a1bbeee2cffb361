"""What pages are built of: functions that draw a part, or give its HTML, for a table's view."""
