"""Tenbin's metrics as parts of other packages: evaluate, datasets, torchmetrics, and more.

Each module is named for the package it joins, which is imported when something is asked of it.
"""
