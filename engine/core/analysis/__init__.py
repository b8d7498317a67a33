"""The figures of a flow: what its log, its messages and its letters say, counted by pure functions."""
