"""Readers of synonym lists: METEOR's synsets, MyThes, Turtle, WordNet, pairs."""
