"""What lessons read and write: recordings, logs, temporary folders, TensorBoard's files."""
