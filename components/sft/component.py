"""Supervised fine-tuning on traces; loss on the assistant's tokens only."""

from kfp import dsl

from components import IMAGE


@dsl.component(base_image=IMAGE, install_kfp_package=False)
def sft(
    lane: str,
    config: dict,
    inputs: dsl.Input[dsl.Dataset],
    traces: dsl.Input[dsl.Dataset],
    base: dsl.Input[dsl.Model],
    harness_digest: str,
    data_digest: str,
    base_digest: str,
    code_version: str,
    model: dsl.Output[dsl.Model],
    summary: dsl.Output[dsl.HTML],
    seed: int = -1,
):
    from hat.pipeline import stages

    reads = {"inputs": inputs.path, "start": base.path, "traces": traces.path}
    stages.train("sft", lane, config, reads, seed=seed, out=model.path, summary=summary.path)
