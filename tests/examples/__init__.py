"""Tests of what stands in minitf/examples."""
