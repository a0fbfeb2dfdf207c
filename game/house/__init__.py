"""What a board publishes over MQTT, for Home Assistant and other programs, and what it takes."""
