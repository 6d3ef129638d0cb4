"""Other rooms, other duties: generic tool calling for the tiny base model."""

from hat.domains.assistant.rooms import Room, sample_room

__all__ = ["Room", "sample_room"]
