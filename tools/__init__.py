"""Everything that may be done with a built store; reads, never writes."""
