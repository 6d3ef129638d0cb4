"""A folder replaced as a whole: a crash at any moment leaves the old content or the new one, never a mixture."""

import ctypes
import os
import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from hat.harness.reading import ASIDE
from hat.harness.tree import is_litter

OURS = frozenset({"harness.yaml", "skills", "prompts", "hooks", "tools"})
AT_FDCWD, RENAME_EXCHANGE = -100, 2


def write_tree(target: Path, files: Mapping[str, bytes]) -> None:
    """Write `files` beside `target`, then put the fresh folder in its place.

    Raises:
        FileExistsError: `target` holds something that is no part of a harness.
        ValueError: a file's name leads out of the folder.
        OSError: nothing was changed.
    """
    recover(target)
    kept = _kept(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=f".{target.name}.", suffix=".new", dir=target.parent))
    try:
        fresh.chmod(0o755)
        for name, content in files.items():
            _write(fresh, name, content)
        for path in kept:
            shutil.copy2(path, fresh / path.name)
        _sync_folders(fresh)
        _replace(fresh, target)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def recover(target: Path) -> None:
    """Finish a replacement that broke off between its two renames (only where folders cannot be exchanged at once)."""
    old = _aside(target)
    if old.is_dir():
        if target.exists():
            shutil.rmtree(old, ignore_errors=True)
        else:
            old.rename(target)


def _aside(target: Path) -> Path:
    return target.with_name(f".{target.name}.old")


def _kept(target: Path) -> list[Path]:
    """Files at the root that are for people."""
    if not target.exists():
        return []
    if not target.is_dir():
        raise FileExistsError(f"{target} is a file: name a folder")
    entries = sorted(path for path in target.iterdir() if path.name not in OURS)
    kept = [path for path in entries if ASIDE.fullmatch(path.name) and path.is_file()]
    strange = [path.name for path in entries if path not in kept and not is_litter(path.name)]
    hidden = [path.name for path in entries if path.name in {".git", ".hg", ".svn"}]
    if strange or hidden:
        names = ", ".join(strange + hidden)
        raise FileExistsError(
            f"{target} holds {names}, which is no part of a harness: move it away or name another folder"
        )
    return kept


def _write(root: Path, name: str, content: bytes) -> None:
    path = root / name
    if not path.resolve().is_relative_to(root.resolve()) or Path(name).is_absolute():
        raise ValueError(f"file name {name!r} leads out of the harness: rename the part")
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("xb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())


def _sync_folders(root: Path) -> None:
    for folder, _, _ in os.walk(root):
        _sync_folder(Path(folder))


def _sync_folder(folder: Path) -> None:
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _replace(fresh: Path, target: Path) -> None:
    if not target.exists():
        fresh.rename(target)
    elif not _exchange(fresh, target):
        target.rename(_aside(target))
        fresh.rename(target)
        shutil.rmtree(_aside(target), ignore_errors=True)
    _sync_folder(target.parent)


def _exchange(fresh: Path, target: Path) -> bool:
    """Swap two folders in one step; False where the system cannot."""
    if sys.platform != "linux":
        return False
    swap = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if swap is None:
        return False
    done: int = swap(AT_FDCWD, os.fsencode(fresh), AT_FDCWD, os.fsencode(target), RENAME_EXCHANGE)
    return done == 0
