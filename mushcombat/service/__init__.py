"""Commands: how a line becomes a verb, and what each verb does."""
