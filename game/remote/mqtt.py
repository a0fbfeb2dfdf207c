"""An MQTT 5 broker, through paho, for messages between two boards and for what a board publishes.

The connection is opened again whenever it breaks. The broker retains each topic's last message.
"""

import logging
import ssl
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from secrets import token_hex
from threading import Event, Thread
from typing import Any

from paho.mqtt.client import MQTT_ERR_NO_CONN, MQTT_ERR_SUCCESS, Client, MQTTMessage, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.subscribeoptions import SubscribeOptions

from game.common import AppError, system_language, words
from game.remote.address import Address
from game.remote.chain import MOST_BYTES
from game.rules.base.message import Message, say
from hal.base.files import decoded, read_whole

log = logging.getLogger(__name__)

KEEPALIVE_S = 20
"""A broker that is silent for this time counts as gone, and is connected to again."""
FIRST_RETRY_S, LAST_RETRY_S = 1, 30
CLOSE_S = 2.0
"""How long the end waits for the broker to take the last message."""
QOS = 0
"""Of subscriptions: with QoS 1 Mosquitto 2.0 stops sending after 20 too large messages."""
WAITING = 64
"""Most messages in a queue; a full one drops the oldest received, or the newest to be sent."""


class _Refused(Exception):
    """The broker refuses a connection or a message."""


class MqttTopics:
    """The topics that a program publishes, and others to which it subscribes.

    `hear` gets each message's topic, payload, and whether the broker had retained it; where it
    raises, the board connects again. `changed`, which must not raise, is called at each connection,
    and when `trouble` changes: why messages are not sent, or None. Both are called on another
    thread. The broker publishes and retains the `will`, a topic and its payload, when this
    connection is lost.
    """

    def __init__(
        self,
        address: Address,
        topics: Sequence[str],
        hear: Callable[[str, bytes, bool], None],
        changed: Callable[[], None],
        will: tuple[str, str] | None = None,
    ) -> None:
        """Begin to connect; raises AppError where a file of the address cannot be read."""
        self._broker, self._topics, self._will = address.broker, topics, will
        self._hear, self._changed = hear, changed
        self.trouble: Message | None = say("remote.connecting", broker=self._broker)
        self.connected, self._count, self._closing = False, 0, Event()
        version, name = CallbackAPIVersion.VERSION2, token_hex(12)
        self._client = client = Client(version, name, protocol=MQTTv5, reconnect_on_failure=False)
        # paho's own loop hides why a connection failed, and ends at an exception.
        client.loop_forever = self._run  # type: ignore[assignment,method-assign]
        client.max_queued_messages_set(WAITING)
        client.on_connect, client.on_message = self._on_connect, self._on_message
        client.on_publish = self._on_publish
        if will is not None:
            client.will_set(*will, qos=1, retain=True)
        _connect(client, address)

    @property
    def connections(self) -> int:
        """How many connections were made so far; 0 while there is none."""
        return self._count if self.connected else 0

    def publish(self, topic: str, payload: str | bytes, retained: bool = True) -> bool:
        """Queue a message; return False if it is lost: without a connection, or as many wait."""
        if not self.connected:
            return False
        return self._client.publish(topic, payload, qos=1, retain=retained).rc == MQTT_ERR_SUCCESS

    def close(self) -> None:
        """Publish the will, and end the connection."""
        self._closing.set()
        if self._will is not None and self.connected:
            with suppress(ValueError, RuntimeError):
                self._client.publish(*self._will, qos=1, retain=True).wait_for_publish(CLOSE_S)
        self._client.disconnect()
        # If the broker does not answer, this takes longer than systemd waits.
        stopping = Thread(target=self._client.loop_stop, daemon=True)
        stopping.start()
        stopping.join(CLOSE_S)
        if (left := self._client.socket()) is not None:
            left.close()

    def _run(self, **_: Any) -> None:
        """Reconnect until closed; no exception ends this."""
        delay_s = FIRST_RETRY_S
        while not self._closing.is_set():
            try:
                self._client.reconnect()
                ended = Client.loop_forever(self._client)
                if not self.connected:
                    silent = ended == MQTT_ERR_NO_CONN
                    raise OSError("it does not answer" if silent else "it closes the connection")
                trouble, delay_s = say("remote.connecting", broker=self._broker), FIRST_RETRY_S
            except Exception as error:
                trouble = _trouble(error, self._broker)
            self.connected = False
            if not self._closing.is_set():
                self._report(trouble)
            self._closing.wait(delay_s)
            delay_s = min(2 * delay_s, LAST_RETRY_S)

    def _on_connect(self, client: Client, _: Any, __: Any, reason: Any, ___: Any) -> None:
        if reason.is_failure:
            raise _Refused(reason)
        # With noLocal a side gets, on its own topic, only what others publish.
        once = SubscribeOptions(qos=QOS, noLocal=True)
        if self._topics:
            client.subscribe([(topic, once) for topic in self._topics])
        self.connected = True
        self._count += 1
        self._report(None)

    def _on_publish(self, _: Client, __: Any, ___: int, reason: Any, ____: Any) -> None:
        self._report(_trouble(_Refused(reason), self._broker) if reason.is_failure else None)

    def _report(self, trouble: Message | None) -> None:
        """Note what is wrong, and log it unless it was the same before."""
        before, self.trouble = self.trouble, trouble
        if (trouble and trouble.key) == (before and before.key):
            return
        if trouble is not None and trouble.key != "remote.connecting":
            log.warning("%s", words(system_language()).text(say("remote.again", why=trouble)))
        self._changed()

    def _on_message(self, _: Client, __: Any, message: MQTTMessage) -> None:
        if len(message.payload) <= MOST_BYTES:
            self._hear(message.topic, bytes(message.payload), message.retain)


class MqttChannel(MqttTopics):
    """The topics of one side of a room. `wake` is called from another thread for each event."""

    def __init__(self, address: Address, room: str, side: int, wake: Callable[[], None]) -> None:
        """Begin to connect; raises AppError where a file of the address cannot be read."""
        self._own, other = (f"lifeboard/1/{room}/{each}" for each in (side, 3 - side))
        self._arrived: deque[tuple[bytes, bool]] = deque(maxlen=WAITING)

        def hear(_: str, payload: bytes, retained: bool) -> None:
            self._arrived.append((payload, retained))
            wake()

        super().__init__(address, (other, self._own), hear, wake)

    def take(self) -> list[tuple[bytes, bool]]:
        """Return the messages since the last call, oldest first, and if each was retained."""
        return [self._arrived.popleft() for _ in range(len(self._arrived))]

    def send(self, payload: bytes) -> None:
        """Send this side's message, which the broker retains; it may be lost."""
        self.publish(self._own, payload)


def _trouble(error: Exception, broker: str) -> Message:
    """Return the message for players on why there is no connection."""
    if isinstance(error, _Refused):
        return say("remote.broker_refuses", broker=broker, why=str(error))
    why = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return say("remote.failed", broker=broker, why=f"{why:.200}")


def _connect(client: Client, address: Address) -> None:
    try:
        if address.user or address.password_file:
            password: str | None = address.password or None
            if address.password_file is not None:
                password = decoded(read_whole(address.password_file, 1024)).rstrip("\n")
            client.username_pw_set(address.user, password)
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
