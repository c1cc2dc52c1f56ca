"""Tuning: which parameters of a metric agree best with human judgment."""
