"""The report as one HTML file: its data, its words, and the document around them."""
