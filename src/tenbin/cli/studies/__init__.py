"""The experiments of ``tenbin study`` that have options of their own."""
