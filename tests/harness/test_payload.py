"""Validation and the loop agree on what a hook may speak of."""

from hat.episode.hooks import NAMES
from hat.harness.checks.payload import PAYLOAD


def test_names__are_those_of_the_payload() -> None:
    assert PAYLOAD.keys() == NAMES.keys()
