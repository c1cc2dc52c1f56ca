"""What the learned metrics come to on years that they saw nothing of."""
