"""The rules of the loop, one a file, each for one job; `agent.loop` puts them in order."""
