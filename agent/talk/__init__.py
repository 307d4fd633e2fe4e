"""The conversation of `ask262` without a question: a loop over a table of commands."""
