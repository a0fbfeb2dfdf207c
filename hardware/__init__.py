"""The design of boards and cases, and the guides to build them."""
