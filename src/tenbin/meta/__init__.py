"""Meta-evaluation: how far do metrics agree with people? Reads scores, never runs a metric.

    from tenbin.formats.human_pairs import read_human_pairs
    from tenbin.formats.mt_metrics_eval import read_score_file
    from tenbin.formats.score_table import Columns, ScoreTable, read_score_table
    from tenbin.meta.measures.lookup import measure

    human = read_score_file("human-scores/en-de.da-raw.seg.score")
    metric = read_score_file("metric-scores/en-de/chrF-refA.seg.score")
    measure("segment-pearson-item", human, metric).value
    measure("darr-tau", read_human_pairs("human-pairs/en-de.darr.tsv"), metric).value

`ScoreTable.by_segment(name, {system: [score or None, ...]})` and `ScoreTable.by_system` make tables
from plain numbers; higher must be better (`ScoreTable.negated`). Systems that people judged must
all have scores; take references out first:
``human.without(judgments.human_translations(human.systems))``.

`measures`: one call for all names of `catalogue.MEASURES`; `measures.prepare` gives what
`bootstrap` resamples. `scores`: several tables of one metric or judgment together, and `Settings`.
`judgments`: DARR from direct assessment, system means, outliers. `permutation`, `williams`: is one
metric better than another? `tasks`: the averages of WMT23 and WMT24.
"""
