"""A metric for Tenbin: how well does the length of a translation fit?"""
