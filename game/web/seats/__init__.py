"""The seats of players in games with hidden information: invitations, keys, a page's seat."""
