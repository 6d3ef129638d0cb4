"""The compiled pipeline: current, and with what a cluster must be told."""

import pytest
import yaml

from pipelines.compile import COMPILED, compile_all

ON_GPU = {"sft", "sft-2", "opd", "rl", "evaluate", "evaluate-2", "evaluate-3"}


@pytest.fixture(scope="module")
def documents(tmp_path_factory):
    paths = compile_all(tmp_path_factory.mktemp("compiled"))
    return {path.name: path.read_text(encoding="utf-8") for path in paths}


@pytest.fixture(scope="module")
def spec(documents):
    return list(yaml.safe_load_all(documents["hat_training.yaml"]))


@pytest.fixture(scope="module")
def reproduction(documents):
    return list(yaml.safe_load_all(documents["hat_reproduction.yaml"]))


@pytest.mark.golden
@pytest.mark.parametrize("name", ["hat_training.yaml", "hat_reproduction.yaml"])
def test_compiled_file__is_current(documents, golden, name):
    golden(COMPILED / name, documents[name])


def test_reproduction__every_policy_of_every_seed_on_an_h20_and_all_seeds_together(reproduction):
    pipeline, platforms = reproduction
    tasks = pipeline["root"]["dag"]["tasks"]
    loop = next(task for name, task in tasks.items() if "parameterIterator" in task)
    inner = pipeline["components"][loop["componentRef"]["name"]]["dag"]["tasks"]
    asking = [
        name
        for name, executor in pipeline["deploymentSpec"]["executors"].items()
        if "accelerator" in executor["container"].get("resources", {})
    ]

    assert loop["parameterIterator"]["items"] == {"inputParameter": "pipelinechannel--seeds"}
    assert len([name for name in inner if name.startswith("evaluate")]) == 7
    assert len([name for name in inner if name.split("-")[0] in {"sft", "opd", "rl"}]) == 6
    assert len(asking) == 7 + 6 + 2
    platform = platforms["platforms"]["kubernetes"]["deploymentSpec"]["executors"]
    for name in asking:
        assert platform[name]["nodeSelector"]["labels"] == {"nvidia.com/gpu.product": "NVIDIA-H20"}
    played = tasks["summarise"]["inputs"]["artifacts"]["played"]
    assert played["taskOutputArtifact"]["producerTask"] in tasks


def test_gpu_tasks__ask_for_an_h20(spec):
    executors = spec[0]["deploymentSpec"]["executors"]
    platform = spec[1]["platforms"]["kubernetes"]["deploymentSpec"]["executors"]

    asking = {
        n.removeprefix("exec-") for n, e in executors.items() if "accelerator" in e["container"].get("resources", {})
    }

    assert asking == ON_GPU
    for task in ON_GPU:
        cluster = platform[f"exec-{task}"]
        assert cluster["nodeSelector"]["labels"] == {"nvidia.com/gpu.product": "NVIDIA-H20"}
        assert cluster["tolerations"][0]["key"] == "nvidia.com/gpu"
        assert cluster["emptyDirMounts"][0]["mountPath"] == "/dev/shm"


def test_every_task__has_limits_retries_and_its_run(spec):
    tasks = dict(spec[0]["root"]["dag"]["tasks"])
    promoted = spec[0]["components"][tasks.pop("condition-1")["componentRef"]["name"]]
    platform = spec[1]["platforms"]["kubernetes"]["deploymentSpec"]["executors"]

    for name, task in (tasks | promoted["dag"]["tasks"]).items():
        resources = spec[0]["deploymentSpec"]["executors"][f"exec-{name}"]["container"]["resources"]
        assert {"resourceCpuLimit", "resourceMemoryLimit"} <= set(resources), name
        assert task["retryPolicy"]["maxRetryCount"] == 2, name
        assert platform[f"exec-{name}"]["fieldPathAsEnv"][0]["name"] == "HAT_RUN", name


def test_caching__off_for_checks_and_for_registering_alone(spec):
    tasks = dict(spec[0]["root"]["dag"]["tasks"])
    promoted = spec[0]["components"][tasks.pop("condition-1")["componentRef"]["name"]]

    cached = {
        n for n, t in (tasks | promoted["dag"]["tasks"]).items() if t.get("cachingOptions", {}).get("enableCache")
    }

    assert set(tasks) - cached == {"validate"}
    assert "register" not in cached


def test_every_cached_task__depends_on_content(spec):
    for name, task in spec[0]["root"]["dag"]["tasks"].items():
        if name in {"validate", "condition-1"}:
            continue
        given = task["inputs"]["parameters"]
        assert given["harness_digest"]["taskOutputParameter"]["producerTask"] == "validate", name
        assert {"data_digest", "code_version"} <= set(given), name
