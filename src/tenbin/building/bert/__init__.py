"""BERT pretraining: vocabulary, packing, masking, model, training, the folder it ends in."""
