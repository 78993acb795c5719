"""Tests of what graphs are made of."""
