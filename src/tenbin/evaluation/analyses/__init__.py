"""What a report says about segments and systems beyond their scores."""
