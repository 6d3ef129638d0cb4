"""Numbers in speech, brought to one form. Hooks read numbers as verifiers do, so the code lies with the loop."""

from hat.episode.numerals import AFTERNOON, DIGITS, PLACES, TOKEN, WIDE, from_chinese, located, numbers, to_chinese

__all__ = ["AFTERNOON", "DIGITS", "PLACES", "TOKEN", "WIDE", "from_chinese", "located", "numbers", "to_chinese"]
