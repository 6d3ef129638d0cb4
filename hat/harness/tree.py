"""The files of a folder, without platform litter, and never one from outside it."""

import os
import stat
import unicodedata
from pathlib import Path

from hat.harness.findings import Finding

LITTER = frozenset({"__MACOSX", "__pycache__", "Thumbs.db", "desktop.ini"})
MAX_BYTES = 8 * 1024 * 1024
"""Largest file of a harness."""


def is_litter(name: str) -> bool:
    """Whether a file or folder is no content: hidden, an editor's copy, or left by a platform."""
    return name.startswith(".") or name.endswith("~") or name in LITTER


def list_files(root: Path, findings: list[Finding]) -> dict[str, Path]:
    """Relative path (NFC, `/`) to file, sorted. Files that may not be read become findings instead."""
    files: dict[str, Path] = {}
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not is_litter(name))
        linked = [name for name in folders if (Path(folder) / name).is_symlink()]
        for name in sorted([*names, *linked]):
            if is_litter(name):
                continue
            path = Path(folder) / name
            relative = unicodedata.normalize("NFC", path.relative_to(root).as_posix())
            problem = _problem(root, path, relative in files)
            if problem:
                findings.append(Finding(relative, 1, *problem))
            else:
                files[relative] = path
    return dict(sorted(files.items()))


def _problem(root: Path, path: Path, twice: bool) -> tuple[str, str] | None:
    try:
        target = path.resolve(strict=True)
        status = target.stat()
    except (OSError, RuntimeError):
        return "bad_link", "a link that leads nowhere: remove it"
    if not target.is_relative_to(root.resolve()):
        return "bad_link", f"a link out of the harness, to {str(path.readlink())!r}: copy the file in"
    if stat.S_ISDIR(status.st_mode):
        return "bad_link", "a linked folder: copy it in"
    if not stat.S_ISREG(status.st_mode):
        return "bad_file", "no regular file: remove it"
    if status.st_size > MAX_BYTES:
        return "too_large", f"{status.st_size} bytes, at most {MAX_BYTES}: keep large data elsewhere"
    return ("duplicate_name", "two files whose names are one in NFC: rename one") if twice else None
