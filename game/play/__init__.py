"""One game on one board: events of the device become inputs of the table, its entries are saved,
and its scene becomes lights. It knows no page and no service.
"""
