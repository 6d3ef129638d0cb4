"""The command `hat`: each subcommand is a module here whose `app` is loaded only when it is called.

To add one, write `hat/cli/<name>.py` with a `typer.Typer` called `app` and a line in `COMMANDS`; heavy imports belong
in the bodies of its functions, so that `--help` stays quick.
"""

from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

COMMANDS = {
    "ablate": "What each operator of augmentation is worth: one SFT without it, one with it alone.",
    "base": "Make the tiny base model that the demo starts from.",
    "bench": "Measure speed against plain TRL and others; one table.",
    "demo": "Train, measure, register and explain a harness-aware model here.",
    "evaluate": "Measure a model on the original harness, variants, edits and general prompts.",
    "judge": "Let a panel of models score traces by vote, and hold it against labels.",
    "evolve": "Mend a harness: diagnose, propose, confirm, try, publish.",
    "harness": "Make, check, render and compare harnesses.",
    "reproduce": "The paper's tables: every policy over training seeds, on every suite.",
    "review": "Let people compare replies blind; win rates, strengths, agreement.",
    "variant": "See variants of a harness and check that tasks survive them.",
    "ui": "Open the runs in MLflow's page.",
}
"""Subcommand to its line of help; its module is `hat.cli.<name>`, hyphens as underscores."""


class LazyGroup(TyperGroup):
    """A group whose members are imported when they run, not when they are listed."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Names in the order of `COMMANDS`."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The subcommand; only its name and help while help is being written."""
        if cmd_name not in COMMANDS:
            return None
        if ctx.resilient_parsing:
            return load(cmd_name)
        return TyperCommand(cmd_name, help=COMMANDS[cmd_name])

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The subcommand that `args` begin with, imported."""
        if args and args[0] in COMMANDS:
            return args[0], load(args[0]), args[1:]
        return super().resolve_command(ctx, args)


def load(name: str) -> Any:
    """The command of a module of this package."""
    command = get_command(import_module(f"hat.cli.{name.replace('-', '_')}").app)
    command.name = name
    return command


app = typer.Typer(cls=LazyGroup, no_args_is_help=True, pretty_exceptions_enable=False, add_completion=False)


@app.callback()
def main() -> None:
    """Harness-aware training of compact agents for live commerce."""
