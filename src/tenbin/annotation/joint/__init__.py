"""A joint encoder: a model that reads a reference and a hypothesis together and judges them."""
