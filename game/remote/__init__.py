"""One game on two boards: the shared record, and the broker between."""

from game.remote.address import NEW, Address, check_game, choose_room, read_address, read_broker
from game.remote.chain import Keys
from game.remote.chosen_room import ChosenRoom
from game.remote.mqtt import MqttTopics
from game.remote.opening import open_partner

__all__ = [
    "NEW",
    "Address",
    "ChosenRoom",
    "Keys",
    "MqttTopics",
    "check_game",
    "choose_room",
    "open_partner",
    "read_address",
    "read_broker",
]
