"""What a task gets in a cluster: processors, memory, an H20, retries, a place for its runs. Ignored on a laptop."""

from kfp import kubernetes
from kfp.dsl import PipelineTask

GPU = "nvidia.com/gpu"
GPU_PRODUCT = "NVIDIA-H20"
"""Value of the node label `nvidia.com/gpu.product`, set by NVIDIA's GPU feature discovery."""
SETTINGS = "hat-platform"
"""Config map with `mlflow-tracking-uri`; optional."""


def on_cpu(task: PipelineTask, title: str, *, cpu: str = "2", memory: str = "4Gi") -> PipelineTask:
    """A small task: checks, decisions, registering."""
    task.set_cpu_request("500m").set_cpu_limit(cpu).set_memory_request("1Gi").set_memory_limit(memory)
    return _common(task, title, hours=1)


def on_gpu(task: PipelineTask, title: str, *, count: int = 1, hours: int = 24) -> PipelineTask:
    """A task on `count` H20s: node selector, tolerations, shared memory for the loaders, a time limit in hours."""
    task.set_cpu_request("8").set_cpu_limit("16").set_memory_request("64Gi").set_memory_limit("192Gi")
    task.set_accelerator_type(GPU).set_accelerator_limit(count)
    kubernetes.add_node_selector(task, label_key="nvidia.com/gpu.product", label_value=GPU_PRODUCT)
    kubernetes.add_toleration(task, key=GPU, operator="Exists", effect="NoSchedule")
    kubernetes.empty_dir_mount(task, volume_name="shm", mount_path="/dev/shm", medium="Memory", size_limit="32Gi")  # noqa: S108
    return _common(task, title, hours)


def _common(task: PipelineTask, title: str, hours: int) -> PipelineTask:
    task.set_display_name(title)
    task.set_retry(num_retries=2, backoff_duration="30s", backoff_factor=2, backoff_max_duration="10m")
    kubernetes.set_timeout(task, seconds=hours * 3600)
    kubernetes.use_field_path_as_env(task, env_name="HAT_RUN", field_path="metadata.labels['pipeline/runid']")
    kubernetes.use_config_map_as_env(
        task,
        config_map_name=SETTINGS,
        config_map_key_to_env={"mlflow-tracking-uri": "MLFLOW_TRACKING_URI"},
        optional=True,
    )
    return task
