"""Agreement with human judgement over the parameters of a metric."""
