"""Other people's retrieval over the same pages with the same embedder: contestants of the bench, no more.

`sources` is what a library is given, `credit` how its results become sections, `table` which there are. The
libraries are the optional group `peers`; each is imported inside the module that is about it.
"""
