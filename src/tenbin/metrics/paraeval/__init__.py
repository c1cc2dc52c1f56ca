"""ParaEval (Zhou, Lin and Hovy 2006): precision and recall of words with paraphrases."""
