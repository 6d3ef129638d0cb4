from collections import Counter
from random import Random

import pytest

from hat.domains.livestream.split import SPLITS, Split
from hat.hsa.names import SYLLABLES, made_up, split_of


@pytest.mark.parametrize("split", SPLITS)
def test_made_up__is_of_its_split_and_never_taken(split: Split) -> None:
    rng, taken = Random(1), {"zapo_kiru"}
    names = [made_up(rng, split, taken) for _ in range(300)]
    assert {split_of(name) for name in names} == {split}
    assert len(set(names)) == 300
    assert taken == {"zapo_kiru", *names}


def test_made_up__is_made_of_syllables() -> None:
    name = made_up(Random(2), "train", set()).replace("_", "")
    assert all(name[place : place + 2] in SYLLABLES for place in range(0, len(name), 2))


def test_split_of__one_in_five_is_test() -> None:
    names = {f"{a}{b}_{a}{c}" for a in SYLLABLES for b in SYLLABLES[:9] for c in SYLLABLES[:9]}
    shares = Counter(split_of(name) for name in names)
    assert shares["test"] / len(names) == pytest.approx(0.2, abs=0.02)


def test_split_of__is_the_same_on_every_machine() -> None:
    assert [split_of(name) for name in ("zapo_kiru", "bibi_bobo", "mola_vi", "dodo_pe")] == EXPECTED


EXPECTED: list[Split] = ["train", "train", "train", "test"]
