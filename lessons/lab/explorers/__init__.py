"""One explorer a file: which controls it has, and what picture their values lead to."""
