"""Texts that the commands print or write: messages in options, events and the start of a run."""
