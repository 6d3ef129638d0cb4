"""`evaluate`: play a policy through the suites and report. What was played is kept, a second call goes on."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from hat.domains.task import Domain
from hat.episode import Policy
from hat.evaluation.config import EvalConfig
from hat.evaluation.general import GeneralSource
from hat.evaluation.outcome import Outcome
from hat.evaluation.parts import Part, kept, parts_of, stands, traces_text, write_whole
from hat.evaluation.report import Report, build_report
from hat.evaluation.suites import plan
from hat.evaluation.workers import Work, play_all
from hat.tracking.progress import Progress

REPORT, TRACES, PARTS = "report.json", "traces.jsonl", "parts"


def evaluate(
    config: EvalConfig,
    model: Policy | Path,
    domain: Domain,
    out: Path,
    *,
    name: str = "",
    edits: Path | None = None,
    general: GeneralSource | None = None,
) -> Report:
    """Evaluate a policy; writes out/report.json and out/traces.jsonl (in the order of the report's outcomes).

    Args:
        config: what is played; equal configurations play the same episodes.
        model: a policy, or a model directory that is played in this process or in `config.workers` others.
        domain: of the test split.
        out: folder of the results and of the parts played so far; a part in which the policy failed is played again.
        name: what the report calls the policy; its own name by default.
        edits: folder of held-out edits; None leaves that suite out.
        general: T4's prompts; None leaves that suite out.

    Raises:
        ModelDirectoryError: the path is no model directory.
        EditError, HarnessError: an edit is broken.
        OSError: such as a full disk; what was played before stays.
    """
    label = name or model.name
    parts = parts_of(config, plan(config, domain, edits, general))
    fingerprint = _fingerprint(parts)
    key = _key(fingerprint, model, label, config)
    total = sum(len(part.plays) for part in parts)
    with Progress(f"evaluate {label}", total=total, unit="episodes") as progress:
        if (earlier := _finished(out, key)) is not None:
            progress.update(total)
            return earlier
        work = Work(config, model, label, domain, edits, general, out / PARTS / key)
        outcomes = _play(work, parts, progress)
        report = build_report(label, config, fingerprint, outcomes, key)
        progress.update(total, **{row.suite: row.mean for row in report.rows if row.metric == "score"})
        write_whole(out / TRACES, traces_text(parts, work.folder))
        write_whole(out / REPORT, report.model_dump_json(indent=1))
    return report


def load_report(out: Path) -> Report:
    """The report that `evaluate` wrote. Raises FileNotFoundError, ValidationError."""
    return Report.model_validate_json((out / REPORT).read_text(encoding="utf-8"))


def _finished(out: Path, key: str) -> Report | None:
    """The report of the same evaluation, run to its end earlier without a failure of the policy."""
    if not ((out / REPORT).exists() and (out / TRACES).exists()):
        return None
    report = load_report(out)
    return report if report.played == key and not report.failed else None


def _play(work: Work, parts: Sequence[Part], progress: Progress) -> list[Outcome]:
    done = {number for number, part in enumerate(parts) if stands(part, work.folder)}
    count = sum(len(parts[number].plays) for number in done)
    progress.update(count)
    for number in play_all(work, parts, [number for number in range(len(parts)) if number not in done]):
        count += len(parts[number].plays)
        progress.update(count)
    return [outcome for part in parts for outcome in kept(part, work.folder) or ()]


def _fingerprint(parts: Sequence[Part]) -> str:
    """sha256 of all that is played: tasks, rooms, harnesses, prompts."""
    hasher = hashlib.sha256()
    for part in parts:
        for play in part.plays:
            hasher.update(play.identity().encode() + b"\0")
    return "sha256:" + hasher.hexdigest()


def _key(fingerprint: str, model: Policy | Path, label: str, config: EvalConfig) -> str:
    """Folder name of the parts that one model played on these episodes."""
    hasher = hashlib.sha256(f"{fingerprint} {label} {config.max_new_tokens} {config.part}".encode())
    if isinstance(model, Path):
        for file in sorted(path for path in model.rglob("*") if path.is_file()):
            with file.open("rb") as content:
                hasher.update(hashlib.file_digest(content, "sha256").digest())
    return hasher.hexdigest()[:16]
