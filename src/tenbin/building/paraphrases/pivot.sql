-- From phrase pairs to paraphrases. DuckDB and Spark run this same text, a step at a time, and give
-- the same rows: probabilities are compared and added up in whole units of 1e-12, so that neither
-- the order of a sum nor its last bit decides. :NAME stands for a number of the request.
--
-- phrase_pairs  lang, f, e, n   what was extracted; a pair may be there several times. f and e are
--                               numbers of phrases. The order of all rows is left open.

-- step counts: how often each pair occurs
SELECT lang, f, e, CAST(SUM(n) AS BIGINT) AS n
FROM phrase_pairs
GROUP BY lang, f, e
HAVING SUM(n) >= :least_count

-- step pivot_totals: pivot phrases that were translated in at least two ways
SELECT lang, f, CAST(SUM(n) AS BIGINT) AS n
FROM counts
GROUP BY lang, f
HAVING COUNT(*) >= 2

-- step phrase_totals: how often each phrase was translated, into whatever
SELECT e, CAST(SUM(n) AS BIGINT) AS n
FROM counts
GROUP BY e

-- step members: which phrase translates which pivot phrase; p(e|f) and p(f|e)
SELECT lang, f, e, p_e, p_f
FROM (
  SELECT counts.lang AS lang, counts.f AS f, counts.e AS e,
         CAST(counts.n AS DOUBLE) / CAST(pivot_totals.n AS DOUBLE) AS p_e,
         CAST(counts.n AS DOUBLE) / CAST(phrase_totals.n AS DOUBLE) AS p_f
  FROM counts
  JOIN pivot_totals ON counts.lang = pivot_totals.lang AND counts.f = pivot_totals.f
  JOIN phrase_totals ON counts.e = phrase_totals.e
) AS translated
WHERE CAST(FLOOR(p_e * 1e12 + 0.5) AS BIGINT) >= :least_share

-- step sets: the phrases of each pivot phrase, where there are two or more
SELECT members.lang AS lang, members.f AS f, members.e AS e
FROM members
JOIN (
  SELECT lang, f FROM members GROUP BY lang, f HAVING COUNT(*) >= 2
) AS shared ON members.lang = shared.lang AND members.f = shared.f

-- step pairs: p(e2|e1), summed over pivot phrases; terms with a small p(e2|f) are left out
SELECT e1, e2, units
FROM (
  SELECT one.e AS e1, other.e AS e2,
         CAST(SUM(CAST(FLOOR(other.p_e * one.p_f * 1e12 + 0.5) AS BIGINT)) AS BIGINT) AS units
  FROM members AS one
  JOIN members AS other ON one.lang = other.lang AND one.f = other.f
  WHERE one.e <> other.e AND CAST(FLOOR(other.p_e * 1e12 + 0.5) AS BIGINT) >= :least_pair
  GROUP BY one.e, other.e
) AS summed
WHERE units >= :least_pair
