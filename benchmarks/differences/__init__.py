"""What a difference of system scores means: curves of agreement with people, per metric."""
