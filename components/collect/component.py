"""Put the reports, step curves and costs of one training seed together."""

from kfp import dsl

from components import IMAGE


@dsl.component(base_image=IMAGE, install_kfp_package=False)
def collect(
    seed: int,
    base_report: dsl.Input[dsl.Dataset],
    fixed_sft_report: dsl.Input[dsl.Dataset],
    fixed_opd_report: dsl.Input[dsl.Dataset],
    plain_rl_report: dsl.Input[dsl.Dataset],
    hsa_sft_report: dsl.Input[dsl.Dataset],
    hsa_opd_report: dsl.Input[dsl.Dataset],
    hat_report: dsl.Input[dsl.Dataset],
    fixed_sft_model: dsl.Input[dsl.Model],
    fixed_opd_model: dsl.Input[dsl.Model],
    plain_rl_model: dsl.Input[dsl.Model],
    hsa_sft_model: dsl.Input[dsl.Model],
    hsa_opd_model: dsl.Input[dsl.Model],
    hat_model: dsl.Input[dsl.Model],
    fixed_curve: dsl.Input[dsl.Dataset],
    hsa_curve: dsl.Input[dsl.Dataset],
    played: dsl.Output[dsl.Dataset],
):
    from hat.pipeline import reproduction

    reproduction.collect(
        seed,
        reports={
            "base": base_report.path,
            "fixed-sft": fixed_sft_report.path,
            "fixed-opd": fixed_opd_report.path,
            "plain-rl": plain_rl_report.path,
            "hsa-sft": hsa_sft_report.path,
            "hsa-opd": hsa_opd_report.path,
            "hat": hat_report.path,
        },
        models={
            "fixed-sft": fixed_sft_model.path,
            "fixed-opd": fixed_opd_model.path,
            "plain-rl": plain_rl_model.path,
            "hsa-sft": hsa_sft_model.path,
            "hsa-opd": hsa_opd_model.path,
            "hat": hat_model.path,
        },
        curves=[fixed_curve.path, hsa_curve.path],
        out=played.path,
    )
