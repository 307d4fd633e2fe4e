"""Demonstrations on the sample specification; `python -m notebooks` runs them and writes their outputs."""
