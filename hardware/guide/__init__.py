"""The guides for makers, in Markdown, and what makes HTML and PDF of them."""
