"""The ground floor: what is kept and how it is read back. The only package that imports lancedb."""
