"""What the text of a TensorFlow 1 script shows, without running it: `python -m minitf --check`."""
