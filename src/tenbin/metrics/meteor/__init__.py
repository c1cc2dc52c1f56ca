"""METEOR (Denkowski and Lavie 2014) and its extensions by DBnary and word vectors."""

from tenbin.metrics.meteor.metric import Meteor

__all__ = ["Meteor"]
