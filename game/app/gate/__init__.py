"""Who may open the page, and how much of it: names, PIN, levels and bounds."""
