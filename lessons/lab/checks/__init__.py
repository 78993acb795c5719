"""A check runs what a learner built, and says kindly what it found: one file a lesson."""
