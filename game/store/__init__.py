"""Games on disk. `journal` keeps every entry of the table as it is made; `records` makes records of
games and reads and writes them as text and JSON. It knows no board, page or service.
"""
