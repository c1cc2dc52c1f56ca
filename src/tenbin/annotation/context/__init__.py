"""Context models: an encoder-decoder with attention that is trained on references and sources."""
