"""Count all seeds together: tables and figures, every number with an interval over seeds and episodes."""

from kfp import dsl

from components import IMAGE


@dsl.component(base_image=IMAGE, install_kfp_package=False)
def summarise(
    played: dsl.Input[list[dsl.Dataset]],
    settings: dict,
    harness_digest: str,
    data_digest: str,
    base_digest: str,
    code_version: str,
    results: dsl.Output[dsl.Dataset],
    summary: dsl.Output[dsl.Markdown],
):
    from hat.pipeline import reproduction

    folders = [seed.path for seed in played]
    facts = {"harness": harness_digest, "data": data_digest, "base model": base_digest, "code": code_version}
    reproduction.summarise(folders, settings, facts, out=results.path, summary=summary.path)
