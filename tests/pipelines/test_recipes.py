"""Every shipped recipe is one that the stages take, and the two SFT lanes are given equal steps."""

import pytest

from hat.pipeline.recipe import RECIPES, check_recipe, load_recipe


@pytest.mark.parametrize("name", sorted(path.stem for path in RECIPES.glob("*.yaml")))
def test_recipe__is_taken_by_every_stage_and_fair(name):
    recipe = load_recipe(name)

    check_recipe(recipe)
    assert recipe.sft["fixed"]["steps"] == recipe.sft["hat"]["steps"]
