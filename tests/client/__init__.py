"""Tests of the compiler and the session."""
