"""Proposals: files of a harness as they should be, by a person or a model; always whole, and a valid harness."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hat.episode import ChatRequest, Message, Policy, PolicyError
from hat.evolve.diagnose import Cluster
from hat.harness import Frozen, Harness
from hat.harness.findings import Finding
from hat.harness.layout import to_harness
from hat.harness.reading import read_files
from hat.harness.tree import list_files
from hat.harness.validate import findings
from hat.harness.writing import to_files

TRIES = 3
"""Answers that a model may give; each is told what was wrong with the one before."""
FOLDERS = {"skills": "skills/{}/SKILL.md", "tools": "tools/{}.json", "hooks": "hooks/{}.yaml"}
ASKED = (
    "You mend the harness of a live-commerce assistant: Skills, Hooks, prompt sections, tools, as files. "
    "The model that reads it stays as it is. Change as little as mends the failures below, keep the language of the "
    "files, and keep names and metadata unless they are the fault. Write no answers to single questions into it.\n"
    'Answer with JSON alone: {"why": "one sentence", "files": {"path": "the whole new text"}}.'
)


class ProposalError(Exception):
    """There is no proposal that could be tried; says why."""


class Proposal(Frozen):
    """A changed harness."""

    why: str
    files: dict[str, str]
    """Changed files only: path to whole text."""
    harness: Harness


def from_folder(original: Harness, folder: Path, why: str = "by hand") -> Proposal:
    """A person's proposal: the files of `folder` lie over the original's at the same paths.

    Raises:
        ProposalError: no files there, one is no text, or the harness is then not valid; with every finding.
    """
    found: list[Finding] = []
    files = {name: path.read_bytes() for name, path in list_files(folder, found).items()} if folder.is_dir() else {}
    if not files or found:
        said = "; ".join(f"{f.file}: {f.message}" for f in found)
        raise ProposalError(f"{folder}: {said or 'no files: put changed files there, at their paths in the harness'}")
    try:
        return lay(original, {name: data.decode("utf-8") for name, data in files.items()}, why)
    except UnicodeDecodeError as error:
        raise ProposalError(f"{folder}: a file is no UTF-8: {error}") from error


def by_endpoint(original: Harness, cluster: Cluster, policy: Policy) -> Proposal:
    """A model's proposal for one cluster.

    Raises:
        ProposalError: the endpoint failed, or no answer of `TRIES` was a valid change.
    """
    messages = [Message(role="system", content=ASKED), Message(role="user", content=tell(original, cluster))]
    wrong = ""
    for _ in range(TRIES):
        try:
            answer = policy.chat(ChatRequest(messages=tuple(messages), tools=())).message
        except PolicyError as error:
            raise ProposalError(str(error)) from error
        try:
            data = _parsed(answer.content)
            return lay(original, data["files"], str(data.get("why", "")))
        except ProposalError as error:
            wrong = str(error)
            told = f"That cannot be used: {wrong}\nAnswer again, with the whole JSON."
            messages += [Message(role="assistant", content=answer.content), Message(role="user", content=told)]
    raise ProposalError(f"{policy.name}: none of {TRIES} answers could be used; last: {wrong}")


def lay(original: Harness, files: Mapping[str, str], why: str) -> Proposal:
    """A proposal from changed files. Raises ProposalError if they change nothing, or make no valid harness."""
    before = to_files(original)
    changed = {name: text for name, text in files.items() if before.get(name) != text.encode()}
    if not changed:
        raise ProposalError("it changes nothing")
    reading = read_files({**before, **{name: text.encode() for name, text in changed.items()}})
    if (wrong := findings(reading)) or reading.manifest is None:
        raise ProposalError("; ".join(f"{f.file}:{f.line}: {f.message}" for f in wrong))
    harness = to_harness(reading.manifest, reading.skills, reading.hooks, reading.sections, reading.tools)
    return Proposal(why=why, files=dict(sorted(changed.items())), harness=harness)


def tell(original: Harness, cluster: Cluster) -> str:
    """What a model is told of a cluster: finding, episodes, the file to look at first, and all paths."""
    files = to_files(original)
    path = FOLDERS.get(cluster.module, "").format(cluster.part) if cluster.part else ""
    shown = [path] if path in files else [name for name in files if name.startswith("prompts/")]
    episodes = "\n".join(
        f"- viewer: {seen.message}\n  reply: {seen.reply}\n  wrong: {'; '.join(seen.problems)}" for seen in cluster.seen
    )
    texts = "\n\n".join(f"=== {name}\n{files[name].decode('utf-8')}" for name in shown)
    return (
        f"{cluster.count} of the episodes ({100 * cluster.share:.0f} %) fail by: {cluster.finding}. "
        f"Kinds of questions: {', '.join(cluster.kinds)}.\n\nSome of them:\n{episodes}\n\n"
        f"Files of the harness: {', '.join(files)}\n\nThe file(s) to look at first:\n\n{texts}"
    )


def _parsed(text: str) -> dict[str, Any]:
    match = re.search(r"\{.*\}", text, re.DOTALL)
    try:
        data = json.loads(match[0]) if match else None
    except ValueError as error:
        raise ProposalError(f"no JSON: {error}") from error
    if not isinstance(data, dict):
        raise ProposalError("there is no JSON object in it")
    files = data.get("files")
    if not isinstance(files, dict) or not all(isinstance(text, str) for text in files.values()):
        raise ProposalError('it is not of the form {"why": "...", "files": {"path": "text"}}')
    return {"why": data.get("why", ""), "files": files}
