"""Meta-evaluation: how far metrics agree with human judgment.

From the request to the table: `planning` (options, measures, kinds of judgment), `data` with
`judgments`, `score_files` and `scoring` (one language pair, read and scored), `measuring` (values
and bootstrap samples), `comparing` (tests of metrics), `rankings` (systems by metric) and
`evaluation` (all language pairs, one `MetaTable`).

`measures` and `significance` know scores alone and can be used without a test set:

    from tenbin.formats.human_pairs import read_human_pairs
    from tenbin.formats.mt_metrics_eval import read_score_file
    from tenbin.meta.measures.catalog import measure

    human = read_score_file("human-scores/en-de.da-raw.seg.score")
    metric = read_score_file("metric-scores/en-de/chrF-refA.seg.score")
    measure("segment-pearson-item", human, metric).value
    measure("darr-tau", read_human_pairs("human-pairs/en-de.darr.tsv"), metric).value

Higher scores must be better. Every judged system needs metric scores; leave references out first:
``human.without(human_translations(human.systems))``.
"""
