"""One game on two boards: the shared record, and the broker between."""
