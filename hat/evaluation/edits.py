"""Held-out edits: changes of the harness that an author makes by hand, of kinds that no operator makes.

An edit is a folder `examples/livestream/edits/<name>/`: `edit.yaml` says what and why; every other file lies over the
original harness at the same path. What it asks of a reply beyond the harness itself (a withdrawn phrase is not said any
more, another skill has taken over a duty) is told to the verifier by `edit.yaml`.
"""

from collections.abc import Mapping
from pathlib import Path
from random import Random

import yaml
from pydantic import Field, ValidationError

from hat.domains.task import Domain, Task
from hat.harness import Frozen, Harness, digest
from hat.harness.findings import Finding, HarnessError
from hat.harness.layout import to_harness
from hat.harness.reading import read_files
from hat.harness.tree import list_files
from hat.harness.validate import findings
from hat.harness.writing import to_files

FILE = "edit.yaml"


class EditError(Exception):
    """An edit that cannot be used; names its folder and the reason."""


class EditFile(Frozen):
    """edit.yaml."""

    title: str
    kind: str
    """Kind of change, such as `rule moved`."""
    why: str
    """What an author would give as the reason."""
    locale: str = "zh-CN"
    """Language of the texts; the harness must be in it."""
    remove: tuple[str, ...] = ()
    """Files or folders of the original that go."""
    tasks: tuple[str, ...] = ()
    """Kinds of tasks to draw; all if empty."""
    forbidden: tuple[str, ...] = ()
    """Phrases that a reply must not hold any more."""
    skills: dict[str, str] = Field(default_factory=dict)
    """Kind of task to the canonical reply skill that answers it now."""


class Edit(Frozen):
    """An edit and the harness it makes."""

    name: str
    file: EditFile
    harness: Harness

    def adapt(self, task: Task) -> Task:
        """The task with what the edit asks of a right play."""
        expected = task.expected
        skill = expected.skill
        if skill != "clarification":
            skill = self.file.skills.get(task.kind, skill)
        forbidden = (*expected.forbidden, *self.file.forbidden)
        changed = expected.model_copy(update={"skill": skill, "forbidden": forbidden})
        return task.model_copy(update={"expected": changed})

    def sample(self, domain: Domain, rng: Random) -> Task:
        """A task of one of the edit's kinds, all alike, or of the traffic mix if it names none; adapted.

        Raises:
            EditError: the domain does not have a kind that the edit names.
        """
        kind = rng.choice(self.file.tasks) if self.file.tasks else None
        try:
            return self.adapt(domain.sample(rng, kind))
        except KeyError as error:
            raise EditError(f"edit {self.name!r}: tasks names {kind!r}, which domain {domain.name!r} lacks") from error


def load_edits(folder: Path, original: Harness) -> list[Edit]:
    """All edits of a folder, by name, laid over `original`.

    Raises:
        EditError: no edits there, or one that is broken.
        HarnessError: an edited harness is not valid; with every finding.
    """
    names = sorted(path.parent.name for path in folder.glob(f"*/{FILE}"))
    if not names:
        raise EditError(f"{folder}: no edits, that is no folders with an {FILE}")
    return [load_edit(folder / name, original) for name in names]


def load_edit(folder: Path, original: Harness) -> Edit:
    """One edit, laid over `original`.

    Raises:
        EditError: edit.yaml is broken, for another language, or removes what is not there.
        HarnessError: the edited harness is not valid.
    """
    try:
        file = EditFile.model_validate(yaml.safe_load((folder / FILE).read_text(encoding="utf-8")))
    except (OSError, yaml.YAMLError, ValidationError) as error:
        raise EditError(f"{folder / FILE}: {error}") from error
    if file.locale.split("-")[0] != original.locale.split("-")[0]:
        raise EditError(
            f"{folder / FILE}: written for locale {file.locale}, the harness {original.name!r} is {original.locale}"
        )
    reading = read_files(lay_over(folder, file, _files(digest(original), original)))
    if (wrong := findings(reading)) or reading.manifest is None:
        raise HarnessError(folder, wrong)
    harness = to_harness(reading.manifest, reading.skills, reading.hooks, reading.sections, reading.tools)
    return Edit(name=folder.name, file=file, harness=harness)


_texts: dict[str, dict[str, bytes]] = {}


def _files(key: str, original: Harness) -> dict[str, bytes]:
    """The original's files, written once for all edits; the last original only is remembered."""
    if key not in _texts:
        _texts.clear()
        _texts[key] = to_files(original)
    return _texts[key]


def lay_over(folder: Path, file: EditFile, original: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files of the original as the edit changes them. Raises EditError if it removes what is not there."""
    kept = dict(original)
    for name in file.remove:
        gone = [path for path in kept if path == name or path.startswith(name.rstrip("/") + "/")]
        if not gone:
            raise EditError(f"{folder / FILE}: remove names {name!r}, which the original harness does not have")
        for path in gone:
            del kept[path]
    found: list[Finding] = []
    over = {name: path.read_bytes() for name, path in list_files(folder, found).items() if name != FILE}
    if found:
        raise HarnessError(folder, found)
    return kept | over
