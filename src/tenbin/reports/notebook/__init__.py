"""Results as a notebook shows them: HTML that stands alone, without script and without files."""
