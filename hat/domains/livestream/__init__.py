"""The livestream domain: a catalogue of linked products, a room, tools over a snapshot, seeded viewers' tasks."""

from hat.domains.livestream.catalogue import load_catalogue
from hat.domains.livestream.domain import DomainError, Livestream
from hat.domains.livestream.errors import CatalogueError, InputError, MessagesError, RoomError
from hat.domains.livestream.lexicon import Lexicon, lexicon
from hat.domains.livestream.wordings import split_overlap

__all__ = [
    "CatalogueError",
    "DomainError",
    "InputError",
    "Lexicon",
    "Livestream",
    "MessagesError",
    "RoomError",
    "lexicon",
    "load_catalogue",
    "split_overlap",
]
