"""Agreement of metrics with human judgments: python -m benchmarks.agreement [--write-docs]."""
