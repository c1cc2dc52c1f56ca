"""General statistics: resampling, significance tests, ranks, exact sums.

The room is independent of metrics. A score is what a `Scorer` computes from additive statistics, so
one matrix product over the statistics serves every system, metric and resample at once. Every
random function takes its generator, and draws the same numbers from it whatever the block size.
"""
