"""Distillation of a multilingual encoder: text, vocabulary, student, losses, training, folder."""
