"""Every shipped recipe is one that the stages take, and the two SFT lanes are given equal steps."""

import pytest

from hat.pipeline.recipe import RECIPES, REPRODUCTIONS, RecipeError, check_recipe, load_recipe, load_reproduction


@pytest.mark.parametrize("name", sorted(path.stem for path in RECIPES.glob("*.yaml")))
def test_recipe__is_taken_by_every_stage_and_fair(name):
    recipe = load_recipe(name)

    check_recipe(recipe)
    assert recipe.sft["fixed"]["steps"] == recipe.sft["hat"]["steps"]


@pytest.mark.parametrize("name", sorted(path.stem for path in REPRODUCTIONS.glob("*.yaml")))
def test_reproduction__is_taken_by_every_stage_and_fair(name):
    recipe = load_reproduction(name)

    check_recipe(recipe)
    assert recipe.sft["steps"] == max(recipe.sft["snapshots"])
    assert {key: value for key, value in recipe.rl["plain"].items() if key != "original"} == {
        key: value for key, value in recipe.rl["hat"].items() if key != "original"
    }
    assert recipe.rl["plain"]["original"] == 1.0
    assert recipe.synthesize["original"]["harnesses"] == recipe.synthesize["augmented"]["harnesses"]


def test_reproduction__wrong_part_is_named(tmp_path):
    text = (REPRODUCTIONS / "quick.yaml").read_text().replace("original: 1.0}\n  hat", "original: 3}\n  hat")
    (tmp_path / "mine.yaml").write_text(text)

    with pytest.raises(RecipeError, match=r"recipe, rl\.plain\.original: .*less than or equal to 1"):
        check_recipe(load_reproduction(str(tmp_path / "mine.yaml")))
