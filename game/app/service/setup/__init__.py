"""Putting the service on a computer: releases, users and files, and going back when one fails."""
