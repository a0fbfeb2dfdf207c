"""What several rooms above the rules share: errors, translation and catalogues, locks, the data
folder. It knows no game, table or page.
"""
