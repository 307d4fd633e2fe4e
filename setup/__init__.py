"""Builds the store from specification HTML. The only package that parses HTML."""
