"""The words of the page by the Python of the machine, which is older than that of most who test."""

import json
import re

import pytest

from tests.helpers.machines.served import Served

pytestmark = [
    pytest.mark.machine,
    pytest.mark.timeout(600),
]
KEY = re.compile(r'"[a-z_]+\.[a-z0-9_]+"')


def test_page_of_the_machine_shows_no_keys_in_place_of_words(served: Served):
    served.until_move(1)
    with served.page() as talk:
        told = {**talk.hello, "words": list(talk.hello["words"].values()), "pixels": {}}
        assert told["legend"][0]["name"] == "singleton"
        assert KEY.findall(json.dumps([told, talk.state])) == []
