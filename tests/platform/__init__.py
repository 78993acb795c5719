"""Tests of log lines and files."""
