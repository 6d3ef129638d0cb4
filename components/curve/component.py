"""Measure the snapshots of an SFT: its score over steps."""

from kfp import dsl

from components import IMAGE


@dsl.component(base_image=IMAGE, install_kfp_package=False)
def curve(
    lane: str,
    config: dict,
    inputs: dsl.Input[dsl.Dataset],
    model: dsl.Input[dsl.Model],
    harness_digest: str,
    data_digest: str,
    base_digest: str,
    code_version: str,
    points: dsl.Output[dsl.Dataset],
    seed: int = -1,
):
    from hat.pipeline import reproduction

    reproduction.curve(lane, config, seed=seed, inputs=inputs.path, model=model.path, out=points.path)
