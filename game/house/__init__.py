"""A board in a house or a club: what it publishes over MQTT, and what it takes."""
