"""One retrieval strategy a file, none importing another; `table` lists them."""
