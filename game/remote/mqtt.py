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
from threading import Lock
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


class MqttChannel:
    """The topics of one side of a room. `wake` is called from another thread for each event."""

    def __init__(self, address: Address, room: str, side: int, wake: Callable[[], None]) -> None:
        """Begin to connect; raises AppError where a file of the address cannot be read."""
        self._address, self._wake = address, wake
        self._own, self._other = (f"lifeboard/1/{room}/{each}" for each in (side, 3 - side))
        self._lock = Lock()
        self._arrived: deque[bytes] = deque(maxlen=WAITING)
        self._connections, self._connected = 0, False
        self._trouble: Message | None = say("remote.connecting", broker=address.host)
        client = self._client = _new_client(4)
        client.on_connect, client.on_message = self._on_connect, self._on_message
        client.on_disconnect = client.on_connect_fail = self._on_lost
        _connect(client, address)

    @property
    def connections(self) -> int:
        """How many connections were made; 0 while there is none."""
        with self._lock:
            return self._connections if self._connected else 0

    @property
    def trouble(self) -> Message | None:
        """Why there is no connection."""
        with self._lock:
            return self._trouble

    def take(self) -> list[bytes]:
        """Return what has arrived since the last call, the oldest first."""
        with self._lock:
            arrived = list(self._arrived)
            self._arrived.clear()
        return arrived

    def publish(self, payload: bytes) -> None:
        """Send this side's message, which the broker keeps; it may be lost."""
        self._client.publish(self._own, payload, qos=1, retain=True)

    def close(self) -> None:
        """End the connection."""
        _disconnect(self._client)

    def _on_connect(self, client: Client, _: Any, __: Any, reason: Any, ___: Any) -> None:
        if reason.is_failure:
            self._set_trouble(say("remote.broker_refuses", broker=self._address.host), False)
            log.warning("broker %s refuses: %s", self._address.host, reason)
            return
        # Of its own topic it hears what another board says as the same side.
        once = SubscribeOptions(qos=QOS, noLocal=True)
        client.subscribe([(self._other, once), (self._own, once)])
        with self._lock:
            self._connections += 1
        self._set_trouble(None, True)

    def _on_lost(self, *_: Any) -> None:
        self._set_trouble(say("remote.connecting", broker=self._address.host), False)

    def _on_message(self, _: Client, __: Any, message: MQTTMessage) -> None:
        if message.topic not in (self._own, self._other) or len(message.payload) > MOST_BYTES:
            return
        with self._lock:
            self._arrived.append(bytes(message.payload))
        self._wake()

    def _set_trouble(self, trouble: Message | None, connected: bool) -> None:
        with self._lock:
            self._trouble, self._connected = trouble, connected
        self._wake()


class MqttTopics:
    """Topics that a program publishes, and some of others that it hears.

    `hear` gets each message's topic, payload, and whether the broker had kept it; `greet` is called
    at each connection. Both are called on another thread. The broker publishes and keeps the
    `will`, a topic and its payload, when this connection is lost.
    """

    def __init__(
        self,
        address: Address,
        topics: Sequence[str],
        hear: Callable[[str, bytes, bool], None],
        greet: Callable[[], None],
        will: tuple[str, str] | None = None,
    ) -> None:
        """Begin to connect; raises AppError where a file of the address cannot be read."""
        self._host, self._topics, self._hear, self._greet = address.host, topics, hear, greet
        self._will, self._warned = will, False
        client = self._client = _new_client(WAITING)
        client.on_connect, client.on_message = self._on_connect, self._on_message
        client.on_connect_fail = self._on_connect_fail
        if will is not None:
            client.will_set(*will, qos=1, retain=True)
        _connect(client, address)

    def publish(self, topic: str, payload: str, kept: bool = True) -> None:
        """Publish a message; while there is no connection it is lost, and `greet` comes later."""
        if self._client.is_connected():
            self._client.publish(topic, payload, qos=1, retain=kept)

    def close(self) -> None:
        """End the connection, having published the will."""
        if self._will is not None and self._client.is_connected():
            with suppress(ValueError, RuntimeError):
                self._client.publish(*self._will, qos=1, retain=True).wait_for_publish(CLOSE_S)
        _disconnect(self._client)

    def _on_connect(self, client: Client, _: Any, __: Any, reason: Any, ___: Any) -> None:
        if reason.is_failure:
            self._warn(f"refuses: {reason}")
            return
        self._warned = False
        if self._topics:
            client.subscribe([(topic, SubscribeOptions(qos=QOS)) for topic in self._topics])
        self._greet()

    def _on_connect_fail(self, _: Client, __: Any) -> None:
        self._warn("does not answer")

    def _warn(self, why: str) -> None:
        if not self._warned:
            log.warning("broker %s %s; it is tried again", self._host, why)
        self._warned = True

    def _on_message(self, _: Client, __: Any, message: MQTTMessage) -> None:
        if len(message.payload) <= MOST_BYTES:
            self._hear(message.topic, bytes(message.payload), message.retain)


def _new_client(most_waiting: int) -> Client:
    client = Client(CallbackAPIVersion.VERSION2, token_hex(12), protocol=MQTTv5)
    client.reconnect_delay_set(FIRST_RETRY_S, LAST_RETRY_S)
    client.max_queued_messages_set(most_waiting)
    return client


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


def _disconnect(client: Client) -> None:
    client.disconnect()
    client.loop_stop()
    if (left := client.socket()) is not None:
        left.close()


def _password(address: Address) -> str | None:
    if address.password_file is None:
        return address.password or None
    return read_whole(address.password_file, 1024).decode().rstrip("\r\n")
