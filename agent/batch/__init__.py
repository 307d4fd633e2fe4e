"""A file of questions to a file of answers: `python -m agent.batch`."""
