"""Register the result in MLflow as a new version and move the alias `candidate` there."""

from typing import NamedTuple

from kfp import dsl

from components import IMAGE


@dsl.component(base_image=IMAGE, install_kfp_package=False)
def register(
    model_name: str,
    model: dsl.Input[dsl.Model],
    decision: dsl.Input[dsl.Dataset],
    summary: dsl.Output[dsl.Markdown],
) -> NamedTuple("Registered", [("version", str)]):  # type: ignore[valid-type]
    from hat.pipeline import measuring

    return measuring.register(model_name, model=model.path, decision=decision.path, summary=summary.path)
