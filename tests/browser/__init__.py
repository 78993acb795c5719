"""Tests that drive JupyterLab in a browser, as a learner does."""
