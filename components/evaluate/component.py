"""Measure one model: T1, T2, held-out edits and T4, n and a 95 % interval on every number."""

from kfp import dsl

from components import IMAGE


@dsl.component(base_image=IMAGE, install_kfp_package=False)
def evaluate(
    policy: str,
    config: dict,
    inputs: dsl.Input[dsl.Dataset],
    model: dsl.Input[dsl.Model],
    harness_digest: str,
    data_digest: str,
    base_digest: str,
    code_version: str,
    report: dsl.Output[dsl.Dataset],
    metrics: dsl.Output[dsl.Metrics],
    summary: dsl.Output[dsl.Markdown],
    seed: int = -1,
):
    from hat.pipeline import measuring

    for name, value in measuring.evaluate(
        policy, config, seed=seed, inputs=inputs.path, model=model.path, out=report.path, summary=summary.path
    ).items():
        metrics.log_metric(name, value)
