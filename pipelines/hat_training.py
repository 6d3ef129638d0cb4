"""Harness-aware training, from a harness on disk to a registered model. Read it as a table of contents.

The default recipe is for one H20 a stage; `hat demo` runs this DAG on a laptop with a small one.
"""

from kfp import dsl

from components.evaluate.component import evaluate
from components.gate.component import gate
from components.opd.component import opd
from components.register.component import register
from components.rl.component import rl
from components.sft.component import sft
from components.synthesize.component import synthesize
from components.validate.component import validate
from hat.pipeline.recipe import load_recipe
from pipelines.resources import on_cpu, on_gpu

RECIPE = load_recipe("h20")


@dsl.pipeline(
    name="hat-training", description="Harness-aware training: SFT, OPD and RL on harness variants, measured and gated"
)
def hat_training(
    harness: str = "examples/livestream/harness",
    catalogue: str = "examples/livestream/catalogue.csv",
    base_model: str = RECIPE.base_model,
    edits: str = "examples/livestream/edits",
    harness_digest: str = "",
    code_version: str = "",
    model_name: str = "hat-livestream",
    synthesize_original: dict = RECIPE.synthesize["original"],
    synthesize_augmented: dict = RECIPE.synthesize["augmented"],
    sft_fixed: dict = RECIPE.sft["fixed"],
    sft_hat: dict = RECIPE.sft["hat"],
    opd_config: dict = RECIPE.opd,
    rl_config: dict = RECIPE.rl,
    evaluation: dict = RECIPE.evaluate,
    gating: dict = RECIPE.gate,
):
    """From one base train a result and a fixed-harness baseline, measure all three, register the result if it may."""
    # 1. What comes in
    checked = validate(
        harness=harness, catalogue=catalogue, base_model=base_model, edits=edits, harness_digest=harness_digest
    )
    on_cpu(checked, "Validate harness, catalogue and base").set_caching_options(enable_caching=False)
    inputs, base = checked.outputs["inputs"], checked.outputs["base"]
    data = {key: checked.outputs[key] for key in ("harness_digest", "data_digest")} | {"code_version": code_version}
    content = data | {"base_digest": checked.outputs["base_digest"]}

    # 2. Traces of a strong policy, under the original harness and under variants of it
    original = synthesize(lane="original", config=synthesize_original, inputs=inputs, **data)
    on_cpu(original, "Traces, original harness", cpu="8", memory="16Gi")
    augmented = synthesize(lane="augmented", config=synthesize_augmented, inputs=inputs, **data)
    on_cpu(augmented, "Traces, augmented harnesses", cpu="8", memory="16Gi")

    # 3. SFT, in two lanes: the usual way, and harness-aware
    fixed = sft(lane="fixed", config=sft_fixed, inputs=inputs, traces=original.outputs["traces"], base=base, **content)
    on_gpu(fixed, "SFT, fixed harness (baseline)")
    adapted = sft(lane="hat", config=sft_hat, inputs=inputs, traces=augmented.outputs["traces"], base=base, **content)
    on_gpu(adapted, "SFT, augmented harnesses")

    # 4. Bring back general ability, then learn from outcomes
    mended = opd(lane="hat", config=opd_config, inputs=inputs, start=adapted.outputs["model"], base=base, **content)
    on_gpu(mended, "General OPD")
    result = rl(lane="hat", config=rl_config, inputs=inputs, start=mended.outputs["model"], base=base, **content)
    on_gpu(result, "HSA-RL")

    # 5. Measure base, baseline and result, side by side
    models = {"base": base, "fixed": fixed.outputs["model"], "result": result.outputs["model"]}
    reports = {
        policy: on_gpu(
            evaluate(policy=policy, config=evaluation, inputs=inputs, model=model, **content),
            f"Evaluate {policy}",
            hours=4,
        )
        for policy, model in models.items()
    }

    # 6. Decide, and register what may go on
    decided = gate(
        config=gating,
        inputs=inputs,
        **{f"{policy}_report": task.outputs["report"] for policy, task in reports.items()},
        fixed_model=fixed.outputs["model"],
        sft_model=adapted.outputs["model"],
        opd_model=mended.outputs["model"],
        rl_model=result.outputs["model"],
        **content,
    )
    on_cpu(decided, "Gate and report")
    with dsl.If(decided.outputs["verdict"] == "promote", name="promote"):
        registered = register(
            model_name=model_name, model=result.outputs["model"], decision=decided.outputs["decision"]
        )
        on_cpu(registered, "Register as candidate").set_caching_options(enable_caching=False)
