"""Trees in words: why a node asks what it asks, why a case got its answer, and the tree as rules."""
