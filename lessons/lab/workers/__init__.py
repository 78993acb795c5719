"""Lesson 13's processes: workers, and a parameter server that they share."""
