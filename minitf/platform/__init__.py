"""What TensorFlow offers beside graphs: log lines and files."""
