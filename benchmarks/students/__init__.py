"""How tenbin-fast and its twins without a year are trained within half an hour of one GPU."""
