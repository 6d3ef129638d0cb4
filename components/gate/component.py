"""Decide: may the result be registered? A pure function over the reports; and the one page that shows why."""

from typing import NamedTuple

from kfp import dsl

from components import IMAGE


@dsl.component(base_image=IMAGE, install_kfp_package=False)
def gate(
    config: dict,
    inputs: dsl.Input[dsl.Dataset],
    base_report: dsl.Input[dsl.Dataset],
    fixed_report: dsl.Input[dsl.Dataset],
    result_report: dsl.Input[dsl.Dataset],
    fixed_model: dsl.Input[dsl.Model],
    sft_model: dsl.Input[dsl.Model],
    opd_model: dsl.Input[dsl.Model],
    rl_model: dsl.Input[dsl.Model],
    harness_digest: str,
    data_digest: str,
    base_digest: str,
    code_version: str,
    decision: dsl.Output[dsl.Dataset],
    page: dsl.Output[dsl.HTML],
) -> NamedTuple("Decision", [("verdict", str), ("reason", str)]):  # type: ignore[valid-type]
    from hat.pipeline import measuring

    return measuring.gate(
        config,
        inputs=inputs.path,
        reports={"base": base_report.path, "fixed": fixed_report.path, "result": result_report.path},
        models={"fixed": fixed_model.path, "sft": sft_model.path, "opd": opd_model.path, "rl": rl_model.path},
        digests={
            "harness_digest": harness_digest,
            "data_digest": data_digest,
            "base_digest": base_digest,
            "code_version": code_version,
        },
        out=decision.path,
        page=page.path,
    )
