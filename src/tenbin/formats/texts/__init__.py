"""Texts in the files that people have: tables, spreadsheets, translation files, subtitles."""
