"""A broker of MQTT 5, through paho: what the other board says arrives, and what this one says goes.

Owns the topics and the connection, which is made again as often as it breaks. Each side has one
topic, whose last message the broker keeps for a board that comes later. Must not know what a
message means: whatever arrives is handed on as bytes, and is bounded.
"""

import logging
import ssl
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from secrets import token_hex
from typing import Any

from paho.mqtt.client import Client, MQTTMessage, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.subscribeoptions import SubscribeOptions

from game.common.errors import AppError
from game.remote.address import Address
from game.remote.messages import MOST_BYTES
from game.rules.base.message import Message, say
from hal.base.files import read_whole

log = logging.getLogger(__name__)

KEEPALIVE_S = 20
"""A broker that is silent so long is taken for gone, and connected to anew."""
FIRST_RETRY_S, LAST_RETRY_S = 1, 30
CLOSE_S = 2.0
"""How long the end waits for the broker to take the last message."""
QOS = 0
"""Of what is heard. Of QoS 1 Mosquitto 2.0 sends no more after 20 messages that are too large."""
WAITING = 64
"""Messages that wait to be read; of a flood the oldest are dropped, since each tells all."""


class MqttTopics:
    """Topics that a program publishes, and some of others that it hears.

    `hear` gets each message's topic, payload, and whether the broker had kept it. `greet` is called
    at each connection, and `lost` while there is none, with the reason. All are called on another
    thread. The broker publishes and keeps the `will`, a topic and its payload, when this connection
    is lost.
    """

    def __init__(
        self,
        address: Address,
        topics: Sequence[str],
        hear: Callable[[str, bytes, bool], None],
        greet: Callable[[], None],
        will: tuple[str, str] | None = None,
        lost: Callable[[Message], None] = lambda _: None,
    ) -> None:
        """Begin to connect; raises AppError where a file of the address cannot be read."""
        self._host, self._topics, self._hear, self._greet = address.host, topics, hear, greet
        self._will, self._warned, self._lost = will, False, lost
        client = Client(CallbackAPIVersion.VERSION2, token_hex(12), protocol=MQTTv5)
        client.reconnect_delay_set(FIRST_RETRY_S, LAST_RETRY_S)
        client.max_queued_messages_set(WAITING)
        client.on_connect, client.on_message = self._on_connect, self._on_message
        client.on_connect_fail, client.on_disconnect = self._on_connect_fail, self._on_disconnect
        if will is not None:
            client.will_set(*will, qos=1, retain=True)
        self._client = client
        _connect(client, address)

    def publish(self, topic: str, payload: str | bytes, kept: bool = True) -> None:
        """Publish a message; while there is no connection it is lost, and `greet` comes later."""
        if self._client.is_connected():
            self._client.publish(topic, payload, qos=1, retain=kept)

    def close(self) -> None:
        """End the connection, having published the will."""
        if self._will is not None and self._client.is_connected():
            with suppress(ValueError, RuntimeError):
                self._client.publish(*self._will, qos=1, retain=True).wait_for_publish(CLOSE_S)
        self._client.disconnect()
        self._client.loop_stop()
        if (left := self._client.socket()) is not None:
            left.close()

    def _on_connect(self, client: Client, _: Any, __: Any, reason: Any, ___: Any) -> None:
        if reason.is_failure:
            self._warn(f"refuses: {reason}")
            self._lost(say("remote.broker_refuses", broker=self._host))
            return
        self._warned = False
        # Of a topic of its own it hears what others say there.
        once = SubscribeOptions(qos=QOS, noLocal=True)
        if self._topics:
            client.subscribe([(topic, once) for topic in self._topics])
        self._greet()

    def _on_connect_fail(self, _: Client, __: Any) -> None:
        self._warn("does not answer")
        self._on_disconnect()

    def _on_disconnect(self, *_: Any) -> None:
        self._lost(say("remote.connecting", broker=self._host))

    def _warn(self, why: str) -> None:
        if not self._warned:
            log.warning("broker %s %s; it is tried again", self._host, why)
        self._warned = True

    def _on_message(self, _: Client, __: Any, message: MQTTMessage) -> None:
        if len(message.payload) <= MOST_BYTES:
            self._hear(message.topic, bytes(message.payload), message.retain)


class MqttChannel:
    """The topics of one side of a room. `wake` is called from another thread for each event.

    `trouble` says why there is no connection.
    """

    def __init__(self, address: Address, room: str, side: int, wake: Callable[[], None]) -> None:
        """Begin to connect; raises AppError where a file of the address cannot be read."""
        self._own, other = (f"lifeboard/1/{room}/{each}" for each in (side, 3 - side))
        self._arrived: deque[tuple[bytes, bool]] = deque(maxlen=WAITING)
        self._count, self._wake = 0, wake
        self.trouble: Message | None = say("remote.connecting", broker=address.host)
        self._topics = MqttTopics(
            address, (other, self._own), self._hear, self._greet, lost=self._set_trouble
        )
        self.close = self._topics.close

    @property
    def connections(self) -> int:
        """How many connections were made; 0 while there is none."""
        return 0 if self.trouble else self._count

    def take(self) -> list[tuple[bytes, bool]]:
        """Return what has arrived since the last call, the oldest first, and if it was kept."""
        return [self._arrived.popleft() for _ in range(len(self._arrived))]

    def publish(self, payload: bytes) -> None:
        """Send this side's message, which the broker keeps; it may be lost."""
        self._topics.publish(self._own, payload)

    def _hear(self, _: str, payload: bytes, kept: bool) -> None:
        self._arrived.append((payload, kept))
        self._wake()

    def _greet(self) -> None:
        self._count += 1
        self._set_trouble(None)

    def _set_trouble(self, trouble: Message | None) -> None:
        self.trouble = trouble
        self._wake()


def _connect(client: Client, address: Address) -> None:
    try:
        if address.user or address.password_file:
            client.username_pw_set(address.user, _password(address))
        if address.tls:
            client.tls_set_context(
                ssl.create_default_context(cafile=address.ca_file and str(address.ca_file))
            )
    except (OSError, ValueError) as error:
        raise AppError(f"the broker's password or certificate cannot be read: {error}") from None
    limits = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
    limits.MaximumPacketSize = 2 * MOST_BYTES
    client.connect_async(
        address.host, address.port, KEEPALIVE_S, clean_start=True, properties=limits
    )
    client.loop_start()


def _password(address: Address) -> str | None:
    if address.password_file is None:
        return address.password or None
    return read_whole(address.password_file, 1024).decode().rstrip("\r\n")
