"""What wrong names and numbers cost a translation."""
