"""The loop, the answer, and the programs people use."""
