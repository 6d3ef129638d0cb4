"""Traces as rows for SFT: one row a harness, its episodes as branches behind the shared prompt."""

from collections import defaultdict
from pathlib import Path
from typing import Any

from datasets import Dataset

from hat.episode import Trace
from hat.harness import tool_schemas
from hat.training.encoding import Row, encode_branch, encode_prefix, flatten
from hat.training.files import read_harnesses, read_lines


def load_rows(directory: Path, tokenizer: Any, branches: int = 4) -> Dataset:
    """Flattened rows (`hat.training.encoding.flatten`) of a directory written by `synthesize`.

    Args:
        directory: holds traces.jsonl and harnesses.jsonl.
        tokenizer: its chat template must be `qwen3_instruct_2507`.
        branches: episodes in a row at most.

    Raises:
        FileNotFoundError: the directory holds no traces.
    """
    if not (directory / "traces.jsonl").exists():
        raise FileNotFoundError(f"{directory} holds no traces.jsonl; make it with the synthesize stage")
    harnesses = read_harnesses(directory / "harnesses.jsonl")
    traces: dict[str, list[Trace]] = defaultdict(list)
    for data in read_lines(directory / "traces.jsonl"):
        trace = Trace.model_validate(data)
        traces[trace.harness].append(trace)
    rows = []
    for digest, group in traces.items():
        prefix = encode_prefix(tokenizer, group[0].messages[0], tool_schemas(harnesses[digest]))
        for start in range(0, len(group), branches):
            encoded = [encode_branch(tokenizer, trace.messages[1:]) for trace in group[start : start + branches]]
            rows.append(flatten(Row(prefix, encoded)))
    return Dataset.from_list(rows)
