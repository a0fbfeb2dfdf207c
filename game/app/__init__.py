"""The application: the only floor that joins the games with the board device."""
