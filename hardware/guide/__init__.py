"""The guides for makers, in Markdown, and their conversion to HTML and PDF."""
