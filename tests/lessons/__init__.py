"""Tests that keep the lessons true."""
