"""The experiments of the ParaEval paper."""
