"""Sets metric scores against human judgement; reads scores, never imports a metric."""
