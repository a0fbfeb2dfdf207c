"""One game on two boards: the shared record, and the line or broker between them."""
