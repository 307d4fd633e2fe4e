"""One self-contained HTML page for an answer, a conversation or a batch."""
