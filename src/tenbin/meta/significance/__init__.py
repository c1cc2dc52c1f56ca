"""How sure a measure is: bootstrap, permutation and Williams' tests."""
