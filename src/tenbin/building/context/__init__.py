"""Context models made from the references and sources of a test set."""
