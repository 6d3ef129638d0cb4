"""General on-policy distillation: the student samples on general prompts, the base scores every token, reverse KL."""

from kfp import dsl

from components import IMAGE


@dsl.component(base_image=IMAGE, install_kfp_package=False)
def opd(
    lane: str,
    config: dict,
    inputs: dsl.Input[dsl.Dataset],
    start: dsl.Input[dsl.Model],
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

    reads = {"inputs": inputs.path, "start": start.path, "base": base.path}
    stages.train("opd", lane, config, reads, seed=seed, out=model.path, summary=summary.path)
