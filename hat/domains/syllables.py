"""The syllables that made-up names are built of; the tiny base's tokenizer has one token for each."""

SYLLABLES = tuple(consonant + vowel for consonant in "bdfghjklmnprstvwz" for vowel in "aeiou")
