"""What programs for TensorFlow 1 import beside TensorFlow itself. Stands for tensorflow/examples."""
