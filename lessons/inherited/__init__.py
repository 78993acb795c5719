"""The script that part two inherits, and what the lessons repair in it."""
