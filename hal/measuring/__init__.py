"""What the cells of a board measure: calibrating them, and recording them."""
