"""The only place that knows Twisted."""
