"""Publishes a board over MQTT, for Home Assistant and other programs, and takes commands."""
