"""Tests of the ops: values, gradients, shapes."""
