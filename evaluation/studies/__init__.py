"""Studies of single questions about the design, one a file; `evaluation.studies.table` lists them."""
