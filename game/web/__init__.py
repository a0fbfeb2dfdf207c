"""The page and its server: who may connect (`access`), who plays which side (`seats`), what a page
is shown (`views`) and may send, and the page's own files (`page`).
"""
