"""A harness on disk: load it, save it. What is loaded is valid; what is saved loads back as the same harness.

```
harness.yaml                 apiVersion, name, locale, order, limits; the order of skills, hooks and tools
skills/item_qa/SKILL.md      Agent Skills format; other files of the folder are the skill's resources
prompts/persona.md           a section of the system prompt; front matter holds its limits and rules
hooks/reply_format.yaml      a hook
tools/get_stock.json         an MCP tool; its binding under `_meta`
```
"""

from pathlib import Path

from hat.harness.digest import digest
from hat.harness.findings import Finding, HarnessError
from hat.harness.layout import to_harness
from hat.harness.model import Harness
from hat.harness.reading import Reading, read_dir, read_files
from hat.harness.swap import recover, write_tree
from hat.harness.validate import findings
from hat.harness.writing import to_files


def load_harness(path: Path | str, *, lenient: bool = False) -> Harness:
    """The harness in a folder, in normal form.

    Args:
        path: The folder with harness.yaml.
        lenient: For imports: unknown keys are dropped, and names and lengths beyond the rules pass.

    Raises:
        HarnessError: with every finding at once.
    """
    recover(Path(path))
    reading = read_dir(Path(path))
    wrong = findings(reading, lenient=lenient)
    if wrong:
        raise HarnessError(path, wrong)
    return _build(reading)


def save_harness(harness: Harness, path: Path | str) -> None:
    """Write a harness to a folder, or over the harness that is there: a crash leaves the old one or the new one.

    README, LICENSE, NOTICE and CHANGELOG files at the root are kept.

    Raises:
        HarnessError: the harness is not valid or not in normal form; nothing was changed.
        FileExistsError: the folder holds something that is no harness.
        OSError: such as a full disk; nothing was changed.
    """
    wrong = validate(harness)
    if wrong:
        raise HarnessError(path, wrong)
    write_tree(Path(path), to_files(harness))


def validate(harness: Harness) -> list[Finding]:
    """All findings of a harness in memory, by the files that it would be saved to; empty if it may be saved."""
    files = to_files(harness)
    reading = read_files(files)
    found = findings(reading)
    if not found and digest(loaded := _build(reading)) != digest(harness):
        found = _differences(harness, loaded)
    return found


def normalized(harness: Harness) -> Harness:
    """The harness in normal form, as saving and loading would give it back.

    Raises:
        HarnessError: the harness is not valid.
    """
    reading = read_files(to_files(harness))
    wrong = findings(reading)
    if wrong:
        raise HarnessError(f"harness {harness.name!r}", wrong)
    return _build(reading)


def _build(reading: Reading) -> Harness:
    assert reading.manifest is not None
    return to_harness(reading.manifest, reading.skills, reading.hooks, reading.sections, reading.tools)


def _differences(harness: Harness, loaded: Harness) -> list[Finding]:
    """Parts that files would not give back as they are."""
    fix = "is not in normal form (UTF-8, LF, NFC, no blank lines around bodies): pass it through normalized()"
    changed = [
        Finding("harness.yaml", 1, "not_normal", f"{kind[:-1]} {part.name!r} {fix}")
        for kind in ("skills", "hooks", "sections", "tools")
        for part in getattr(harness, kind)
        if part not in getattr(loaded, kind)
    ]
    return changed or [Finding("harness.yaml", 1, "not_normal", f"harness {harness.name!r} {fix}")]
