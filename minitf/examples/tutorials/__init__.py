"""The tutorials' data. Stands for tensorflow/examples/tutorials."""
