"""BERTScore beside the package bert-score: python -m benchmarks.contextual [--write-docs]."""
