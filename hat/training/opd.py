"""Stage 2, general on-policy distillation: give back what SFT took away.

The student samples answers to general prompts, the model before SFT scores every token, and the loss is the
full-vocabulary reverse KL divergence KL(student || base) on the student's own tokens (Lu et al. 2025,
thinkingmachines.ai/blog/ on-policy-distillation): TRL's DistillationTrainer with beta = 1.
"""

from pathlib import Path
from random import Random

from datasets import Dataset
from trl import DistillationConfig, DistillationTrainer

from hat.domains.general import GeneralTasks
from hat.episode.engine import load_model
from hat.training.config import Inputs, OpdConfig, StageResult
from hat.training.files import fingerprint, finish, finished
from hat.training.trainer import arguments, run


def train_opd(config: OpdConfig, inputs: Inputs, out: Path) -> StageResult:
    """Distil `inputs.base` into `inputs.model` on general prompts; out/model is the result.

    Raises:
        ModelDirectoryError: a model is missing.
        ValueError: student and base have different vocabularies.
        TrainingDiverged: the loss became no number.
    """
    mark = fingerprint(config, inputs)
    if kept := finished(out, mark):
        return kept
    if inputs.model is None or inputs.base is None:
        raise ValueError("opd needs inputs.model (the student) and inputs.base (the model before SFT)")
    student, tokenizer = load_model(inputs.model)
    teacher, other = load_model(inputs.base)
    if tokenizer.get_vocab() != other.get_vocab():
        raise ValueError(f"{inputs.model} and {inputs.base} have different vocabularies; distil within one family")
    trainer = DistillationTrainer(
        model=student,
        teacher_model=teacher,
        args=DistillationConfig(
            **arguments(config, out),
            per_device_train_batch_size=config.prompts,
            beta=1.0,
            temperature=config.temperature,
            max_completion_length=config.max_new_tokens,
        ),
        train_dataset=prompts(config),
        processing_class=tokenizer,
    )
    return finish(out, mark, "opd", run(trainer, config, out))


def prompts(config: OpdConfig) -> Dataset:
    """General prompts of the train split, enough for every step."""
    rng, tasks = Random(f"opd/{config.seed}"), GeneralTasks("train")
    wanted = [tasks.sample(rng).prompt for _ in range(config.steps * config.prompts)]
    return Dataset.from_list([{"prompt": [{"role": "user", "content": prompt}]} for prompt in wanted])
