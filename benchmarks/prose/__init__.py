"""English sentences that packages carry, under licences that let a trained model be published."""
