"""The page draws what Python describes: ES modules, their style, and the way from one to the other."""
