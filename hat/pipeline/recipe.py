"""A recipe: the configuration of every stage, in one YAML file of `examples/livestream/recipes/`."""

from pathlib import Path
from typing import Any

import yaml
from pydantic import Field, ValidationError

from hat.harness.model import Frozen

RECIPES = Path(__file__).parents[2] / "examples" / "livestream" / "recipes"


class Recipe(Frozen):
    """How a pipeline run is set; each part is checked against its stage's own configuration before anything runs."""

    base_model: str
    """A model folder or a hub id."""
    minutes: float = 0.0
    """How long it takes on two cores, roughly; 0 if nobody knows."""
    synthesize: dict[str, dict[str, Any]]
    """By lane: original, augmented."""
    sft: dict[str, dict[str, Any]]
    """By lane: fixed, hat."""
    opd: dict[str, Any]
    rl: dict[str, Any]
    evaluate: dict[str, Any]
    gate: dict[str, Any] = Field(default_factory=dict)

    def arguments(self) -> dict[str, Any]:
        """The recipe as arguments of the pipeline."""
        return {
            "base_model": self.base_model,
            "synthesize_original": self.synthesize["original"],
            "synthesize_augmented": self.synthesize["augmented"],
            "sft_fixed": self.sft["fixed"],
            "sft_hat": self.sft["hat"],
            "opd_config": self.opd,
            "rl_config": self.rl,
            "evaluation": self.evaluate,
            "gating": self.gate,
        }


def check_recipe(recipe: Recipe) -> None:
    """Check every part against its stage's configuration.

    Raises:
        RecipeError: with every finding.
    """
    from hat.evaluation import EvalConfig, GatePolicy
    from hat.training import OpdConfig, RlConfig, SftConfig, TraceConfig

    parts: list[tuple[str, type[Frozen], dict[str, Any]]] = [
        *((f"synthesize.{lane}", TraceConfig, config) for lane, config in recipe.synthesize.items()),
        *((f"sft.{lane}", SftConfig, config) for lane, config in recipe.sft.items()),
        ("opd", OpdConfig, recipe.opd),
        ("rl", RlConfig, recipe.rl),
        ("evaluate", EvalConfig, recipe.evaluate),
        ("gate", GatePolicy, recipe.gate),
    ]
    wrong = []
    for name, kind, config in parts:
        try:
            kind.model_validate(config)
        except ValidationError as error:
            wrong += [f"recipe, {name}.{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()]
    if wrong:
        raise RecipeError("\n".join(wrong))


class RecipeError(ValueError):
    """There is no such recipe, or it is no recipe; names the file and what is wrong."""


def load_recipe(name: str) -> Recipe:
    """A recipe by name (`demo`) or by path (`my/recipe.yaml`).

    Raises:
        RecipeError: no such file, no YAML, or keys that are no recipe's.
    """
    path = Path(name) if name.endswith((".yaml", ".yml")) else RECIPES / f"{name}.yaml"
    if not path.exists():
        known = ", ".join(sorted(p.stem for p in RECIPES.glob("*.yaml")))
        raise RecipeError(f"{path}: no such recipe; there are {known}, or give the path of a .yaml file")
    try:
        return Recipe.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    except (yaml.YAMLError, ValueError) as error:
        raise RecipeError(f"{path}: {error}") from error
