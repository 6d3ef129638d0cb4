"""Make training traces: the strong policy plays seeded tasks, under the original harness or under variants of it."""

from kfp import dsl

from components import IMAGE


@dsl.component(base_image=IMAGE, install_kfp_package=False)
def synthesize(
    lane: str,
    config: dict,
    inputs: dsl.Input[dsl.Dataset],
    harness_digest: str,
    data_digest: str,
    code_version: str,
    traces: dsl.Output[dsl.Dataset],
    summary: dsl.Output[dsl.Markdown],
    seed: int = -1,
):
    from hat.pipeline import stages

    stages.synthesize(lane, config, seed=seed, inputs=inputs.path, out=traces.path, summary=summary.path)
