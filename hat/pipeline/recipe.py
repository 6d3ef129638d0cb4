"""Recipes: the configuration of every stage of a pipeline, in one YAML file.

Those of the training pipeline are in `examples/livestream/recipes/`, those of the reproduction in `reproductions/`.
"""

from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import Field, ValidationError

from hat.harness.model import Frozen

RECIPES = Path(__file__).parents[2] / "examples" / "livestream" / "recipes"
REPRODUCTIONS = RECIPES.parent / "reproductions"


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


class Reproduction(Frozen):
    """How the reproduction is set. The stages are given each seed of `seeds` in turn."""

    base_model: str
    """A model folder or a hub id."""
    minutes: float = 0.0
    """How long it takes on two cores, roughly; 0 if nobody knows."""
    seeds: tuple[int, ...] = Field(min_length=1)
    """Training seeds; each is measured on episodes of its own."""
    synthesize: dict[str, dict[str, Any]]
    """By lane: original, augmented."""
    sft: dict[str, Any]
    """Of both lanes; `snapshots` are the steps of their curves."""
    opd: dict[str, Any]
    """Of both lanes."""
    rl: dict[str, dict[str, Any]]
    """By lane: plain, hat."""
    evaluate: dict[str, Any]
    curves: dict[str, Any]
    """Evaluation of each snapshot."""

    def arguments(self) -> dict[str, Any]:
        """The recipe as arguments of the pipeline."""
        return {
            "base_model": self.base_model,
            "seeds": list(self.seeds),
            "synthesize_original": self.synthesize["original"],
            "synthesize_augmented": self.synthesize["augmented"],
            "sft_config": self.sft,
            "opd_config": self.opd,
            "rl_plain": self.rl["plain"],
            "rl_hat": self.rl["hat"],
            "evaluation": self.evaluate,
            "curves": self.curves,
            "settings": self.model_dump(mode="json"),
        }


def check_recipe(recipe: Recipe | Reproduction) -> None:
    """Check every part against its stage's configuration.

    Raises:
        RecipeError: with every finding.
    """
    wrong = []
    for name, kind, config in _parts(recipe):
        try:
            kind.model_validate(config)
        except ValidationError as error:
            wrong += [f"recipe, {name}.{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()]
    if wrong:
        raise RecipeError("\n".join(wrong))


def _parts(recipe: Recipe | Reproduction) -> list[tuple[str, type[Frozen], dict[str, Any]]]:
    """Every part by name, with its configuration's class."""
    from hat.evaluation import EvalConfig, GatePolicy
    from hat.training import OpdConfig, RlConfig, SftConfig, TraceConfig

    common: list[tuple[str, type[Frozen], dict[str, Any]]] = [
        *((f"synthesize.{lane}", TraceConfig, config) for lane, config in recipe.synthesize.items()),
        ("opd", OpdConfig, recipe.opd),
        ("evaluate", EvalConfig, recipe.evaluate),
    ]
    if isinstance(recipe, Recipe):
        lanes = [(f"sft.{lane}", SftConfig, config) for lane, config in recipe.sft.items()]
        return [*common, *lanes, ("rl", RlConfig, recipe.rl), ("gate", GatePolicy, recipe.gate)]
    rls = [(f"rl.{lane}", RlConfig, config) for lane, config in recipe.rl.items()]
    return [*common, ("sft", SftConfig, recipe.sft), *rls, ("curves", EvalConfig, recipe.curves)]


class RecipeError(ValueError):
    """There is no such recipe, or it is no recipe; names the file and what is wrong."""


def load_recipe(name: str) -> Recipe:
    """A recipe of the training pipeline by name (`demo`) or by path (`my/recipe.yaml`).

    Raises:
        RecipeError: no such file, no YAML, or keys that are no recipe's.
    """
    return _load(Recipe, RECIPES, name)


def load_reproduction(name: str) -> Reproduction:
    """A recipe of the reproduction by name (`full`, `quick`, `h20`) or by path. Raises as `load_recipe`."""
    return _load(Reproduction, REPRODUCTIONS, name)


Kind = TypeVar("Kind", Recipe, Reproduction)


def _load(kind: type[Kind], folder: Path, name: str) -> Kind:
    path = Path(name) if name.endswith((".yaml", ".yml")) else folder / f"{name}.yaml"
    if not path.exists():
        known = ", ".join(sorted(p.stem for p in folder.glob("*.yaml")))
        raise RecipeError(f"{path}: no such recipe; there are {known}, or give the path of a .yaml file")
    try:
        return kind.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    except (yaml.YAMLError, ValueError) as error:
        raise RecipeError(f"{path}: {error}") from error
