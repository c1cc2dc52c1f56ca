"""What Tenbin does, one call each: `tenbin` offers the most used ones, and the command line all.

=============  =====================================================================
scoring        score, compare, explain; load and list metrics
choosing       among candidates: minimum Bayes risk, reranking, oracle
checking       a new system against a stored baseline
files          test sets in text files, or in the layout of mt-metrics-eval
sets           test sets of this machine
tables         tables in Parquet, on this machine or on a cluster
meta           how far metrics agree with people
tuning         the parameters that agree best
model_grid     BERTScore by model, idf dictionary and penalty
studies        the experiments on ParaEval
page           results as a page to look at, one HTML file
catalog        what metrics there are
resources      dictionaries, tables and other data: list, install, verify, remove
building       data made from text
inspection     what is wrong with an installation or with texts
=============  =====================================================================

>>> import tenbin
>>> table = tenbin.score(["the cat sat"], ["the cat sat down"], metrics=["chrf"], language="en")
>>> round(table["hypotheses", "chrf"], 2)
66.02
"""
