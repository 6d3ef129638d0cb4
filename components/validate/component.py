"""Check what comes in, once: harness, catalogue, base model. All findings at once; then digests for the cache."""

from typing import NamedTuple

from kfp import dsl

from components import IMAGE


@dsl.component(base_image=IMAGE, install_kfp_package=False)
def validate(
    harness: str,
    catalogue: str,
    base_model: str,
    edits: str,
    harness_digest: str,
    inputs: dsl.Output[dsl.Dataset],
    base: dsl.Output[dsl.Model],
    summary: dsl.Output[dsl.Markdown],
) -> NamedTuple("Digests", [("harness_digest", str), ("data_digest", str), ("base_digest", str)]):  # type: ignore[valid-type]
    from hat.pipeline import stages

    return stages.validate(
        harness, catalogue, base_model, edits, harness_digest, inputs=inputs.path, base=base.path, summary=summary.path
    )
