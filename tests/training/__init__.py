"""Tests of optimizers, the global step and the schedules."""
