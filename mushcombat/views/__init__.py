"""Pure renderings of events: plain text, transcripts."""
