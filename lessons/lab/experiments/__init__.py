"""Experiments run with minitf for the explorers: numbers and names, and nothing about how they are drawn."""
