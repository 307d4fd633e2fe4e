"""Measures the public functions of all the other packages."""
