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
from hat.harness.reading import Reading, read_dir
from hat.harness.swap import recover, write_tree
from hat.harness.writing import to_files


def load_harness(path: Path | str, *, lenient: bool = False) -> Harness:
    """The harness in a folder, in normal form (see `hat.harness.text`).

    Args:
        path: The folder with harness.yaml.
        lenient: For imports: unknown keys are dropped, and names and lengths beyond the rules pass.

    Raises:
        HarnessError: with every finding at once.
    """
    root = recover(Path(path))
    reading = read_dir(root)
    findings = reading.findings
    if findings or reading.manifest is None:
        raise HarnessError(path, findings)
    return build(reading)


def build(reading: Reading) -> Harness:
    """The harness of a reading without findings."""
    assert reading.manifest is not None
    return to_harness(reading.manifest, reading.skills, reading.hooks, reading.sections, reading.tools)


def save_harness(harness: Harness, path: Path | str) -> None:
    """Write a harness to a folder, or over the harness that is there: a crash leaves the old one or the new one.

    README, LICENSE, NOTICE and CHANGELOG files at the root are kept. Only a harness that loads back with the same
    digest is written.

    Raises:
        HarnessError: the harness is not valid or not in normal form; nothing was changed.
        FileExistsError: the folder holds something that is no harness.
        OSError: such as a full disk; nothing was changed.
    """
    target = Path(path)
    with write_tree(target, to_files(harness)) as fresh:
        loaded = load_harness(fresh)
        if digest(loaded) != digest(harness):
            raise HarnessError(target, _differences(harness, loaded))


def _differences(harness: Harness, loaded: Harness) -> list[Finding]:
    """Parts that files would not give back as they are: text not in normal form, or out of order."""
    message = "is not in normal form (blank lines around it, CR, not NFC): pass it through hat.harness.normalized"
    return [
        Finding("harness.yaml", 1, "not_normal", f"{kind} {part.name!r} {message}")
        for kind in ("skills", "hooks", "sections", "tools")
        for part in getattr(harness, kind)
        if part not in getattr(loaded, kind)
    ] or [Finding("harness.yaml", 1, "not_normal", f"the manifest {message}")]
