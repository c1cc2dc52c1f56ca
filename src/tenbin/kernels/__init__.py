"""Loops over arrays worth speeding up: arrays in, arrays out.

Each public function has a plain twin in the same file (its oracle, and what small inputs run) and a
compiled one of the same name in `tenbin.kernels.compiled`, which is imported on first heavy use.
"""
