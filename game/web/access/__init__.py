"""Access to the pages: host names, PIN, levels, and limits on connections."""
