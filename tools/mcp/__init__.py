"""The tools for other agents, over the Model Context Protocol: `python -m tools.mcp_server`."""
