"""What several packages above the rules share: errors, translation and catalogues, locks, the data
folder. It knows no game, table or page.
"""

from game.common.addresses import (
    HOME_DOMAINS,
    is_loopback,
    network_of,
    own_addresses,
    own_names,
    plain,
    url,
)
from game.common.data_folder import (
    Lock,
    board_lock,
    board_memory,
    data_folder,
    read_json,
    with_sudo,
    write_json,
)
from game.common.errors import (
    AppError,
    Cause,
    PageError,
    RecordError,
    StoreError,
    redact_errors,
    redacted,
)
from game.common.printing import SafeFormatter, cut, escaped, text_table
from game.common.translation import (
    LANGUAGES,
    Words,
    accepted,
    choose,
    system_language,
    words,
)
