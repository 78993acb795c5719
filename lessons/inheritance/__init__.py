"""The scripts that lesson 15 hands down, and what they promise."""
