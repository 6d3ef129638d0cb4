"""Everything that is wrong with a harness on disk, at once, with file and line."""

from pathlib import Path

from hat.harness.checks.hooks import check_hooks
from hat.harness.checks.manifest import check_manifest
from hat.harness.checks.sections import check_sections
from hat.harness.checks.skills import check_skills
from hat.harness.checks.tools import check_tools
from hat.harness.findings import Finding
from hat.harness.reading import Reading, read_dir

SOFT = frozenset(
    {"unknown_key", "bad_name", "folder_name", "too_long", "unknown_tool", "bad_reference", "unexpected_file"}
)
"""Kinds of finding that an import of somebody else's files lets pass."""


def validate_dir(path: Path | str, *, lenient: bool = False) -> list[Finding]:
    """All findings of the harness in a folder, sorted by file and line; empty if it is valid.

    Args:
        path: The folder with harness.yaml.
        lenient: For imports: unknown keys, and names and lengths beyond the rules, pass.
    """
    return findings(read_dir(Path(path)), lenient=lenient)


def findings(reading: Reading, *, lenient: bool = False) -> list[Finding]:
    """Findings of a reading: those met while reading, and those of the checks."""
    found = set(reading.findings)
    for check in (check_manifest, check_skills, check_hooks, check_sections, check_tools):
        found.update(check(reading))
    return sorted(finding for finding in found if not (lenient and finding.code in SOFT))
