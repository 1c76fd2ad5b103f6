"""How fast the server is, as a share of what bare Twisted does on the same machine."""
