"""Access to the pages: host names, PIN, levels, and limits on connections."""

from game.web.access.gate import (
    CALLER,
    HEADERS,
    LOCAL,
    ROOM,
    Access,
    AccessLevel,
    Caller,
    Gate,
    Listening,
)
from game.web.access.https import CERTIFICATE_FILE, Certificate, fingerprint
from game.web.access.login import Login
from game.web.access.pin import (
    DEVICES_FOLDER,
    PIN_COMMAND,
    PIN_FILE,
    Devices,
    Pins,
    PinSecret,
    same,
)
