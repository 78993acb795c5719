"""Handwritten digits. Stands for tensorflow/examples/tutorials/mnist."""
