"""Statistics true for any numbers: resampling, significance, ranks.

Nothing here knows what a metric is. A score is whatever a `Scorer` makes of additive statistics, so
one matrix product over the statistics serves every system, metric and resample at once. Every
random function takes its generator, and draws the same numbers from it whatever the block size.
"""
