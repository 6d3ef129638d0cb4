"""The paper's tables: seven policies from one base, over training seeds, on every suite, as a table of contents.

The default recipe is for one H20 a stage; `hat reproduce` runs this DAG on a laptop with a small one. The seeds are a
loop; the policies are branches of the round, since they share their first stages.
"""

from kfp import dsl

from components.collect.component import collect
from components.curve.component import curve
from components.evaluate.component import evaluate
from components.opd.component import opd
from components.rl.component import rl
from components.sft.component import sft
from components.summarise.component import summarise
from components.synthesize.component import synthesize
from components.validate.component import validate
from hat.pipeline.recipe import load_reproduction
from pipelines.resources import on_cpu, on_gpu

RECIPE = load_reproduction("h20")
SETTINGS = RECIPE.model_dump(mode="json")


@dsl.pipeline(
    name="hat-reproduction",
    description="Seven policies over training seeds, measured on every suite: the paper's tables",
)
def hat_reproduction(
    harness: str = "examples/livestream/harness",
    catalogue: str = "examples/livestream/catalogue.csv",
    base_model: str = RECIPE.base_model,
    edits: str = "examples/livestream/edits",
    harness_digest: str = "",
    code_version: str = "",
    seeds: list = list(RECIPE.seeds),  # noqa: B006 (KFP's way to give a default)
    synthesize_original: dict = RECIPE.synthesize["original"],
    synthesize_augmented: dict = RECIPE.synthesize["augmented"],
    sft_config: dict = RECIPE.sft,
    opd_config: dict = RECIPE.opd,
    rl_plain: dict = RECIPE.rl["plain"],
    rl_hat: dict = RECIPE.rl["hat"],
    evaluation: dict = RECIPE.evaluate,
    curves: dict = RECIPE.curves,
    settings: dict = SETTINGS,
):
    """Train and measure every policy for each seed, then count the seeds together."""
    # 1. What comes in
    checked = validate(
        harness=harness, catalogue=catalogue, base_model=base_model, edits=edits, harness_digest=harness_digest
    )
    on_cpu(checked, "Validate harness, catalogue and base").set_caching_options(enable_caching=False)
    inputs, base = checked.outputs["inputs"], checked.outputs["base"]
    data = {key: checked.outputs[key] for key in ("harness_digest", "data_digest")} | {"code_version": code_version}
    content = data | {"base_digest": checked.outputs["base_digest"]}

    with dsl.ParallelFor(seeds, name="seeds") as seed:
        # 2. Traces
        common = {"inputs": inputs, "seed": seed}
        original = synthesize(lane="original", config=synthesize_original, **common, **data)
        on_cpu(original, "Traces, original harness", cpu="8", memory="16Gi")
        augmented = synthesize(lane="augmented", config=synthesize_augmented, **common, **data)
        on_cpu(augmented, "Traces, augmented harnesses", cpu="8", memory="16Gi")

        # 3. Policies: both SFTs are given the same steps, both RLs too
        common |= content
        traced = {"fixed": original.outputs["traces"], "hsa": augmented.outputs["traces"]}
        models = {"base": base}
        for lane, traces in traced.items():
            tuned = sft(lane=lane, config=sft_config, traces=traces, base=base, **common)
            on_gpu(tuned, f"SFT, {lane}")
            mended = opd(lane=lane, config=opd_config, start=tuned.outputs["model"], base=base, **common)
            on_gpu(mended, f"OPD, {lane}")
            models |= {f"{lane}_sft": tuned.outputs["model"], f"{lane}_opd": mended.outputs["model"]}
        plain = rl(lane="plain", config=rl_plain, start=base, base=base, **common)
        on_gpu(plain, "RL, original harness")
        adapted = rl(lane="hat", config=rl_hat, start=models["hsa_opd"], base=base, **common)
        on_gpu(adapted, "RL, augmented harnesses")
        models |= {"plain_rl": plain.outputs["model"], "hat": adapted.outputs["model"]}

        # 4. Measure every policy on the same episodes, and the way of both SFTs
        reports = {
            f"{policy}_report": on_gpu(
                evaluate(policy=policy.replace("_", "-"), config=evaluation, model=model, **common),
                f"Evaluate {policy.replace('_', '-')}",
                hours=4,
            ).outputs["report"]
            for policy, model in models.items()
        }
        ways = {}
        for lane in traced:
            way = curve(lane=f"{lane}-sft", config=curves, model=models[f"{lane}_sft"], **common)
            ways[f"{lane}_curve"] = on_gpu(way, f"Step curve, {lane}", hours=4).outputs["points"]
        trained = {f"{policy}_model": model for policy, model in models.items() if policy != "base"}
        together = collect(seed=seed, **reports, **trained, **ways)
        on_cpu(together, "Reports together")

    # 5. All seeds together
    told = summarise(played=dsl.Collected(together.outputs["played"]), settings=settings, **content)
    on_cpu(told, "Results")
