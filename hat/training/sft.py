"""Stage 1, supervised fine-tuning: TRL's SFTTrainer on rows that share the harness prompt, loss on what was said."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from torch import Tensor
from transformers import TrainerCallback
from trl import SFTConfig as TrlSftConfig
from trl import SFTTrainer

from hat.episode.engine import load_model
from hat.training.config import Inputs, SftConfig, StageResult
from hat.training.dataset import load_rows
from hat.training.encoding import collate
from hat.training.files import fingerprint, finish, finished
from hat.training.loss import next_token_loss
from hat.training.trainer import arguments, run, save_model

SNAPSHOTS = "snapshots"


def train_sft(config: SftConfig, inputs: Inputs, out: Path) -> StageResult:
    """Fine-tune `inputs.model` on `inputs.traces`; out/model is the result. Goes on from its last checkpoint.

    Raises:
        FileNotFoundError, ModelDirectoryError: there are no traces, or no model.
        TrainingDiverged: the loss became no number.
    """
    mark = fingerprint(config, inputs)
    if kept := finished(out, mark):
        return kept
    if inputs.model is None or inputs.traces is None:
        raise ValueError("sft needs inputs.model and inputs.traces")
    model, tokenizer = load_model(inputs.model)
    trainer = RowSftTrainer(
        model=model,
        args=TrlSftConfig(
            **arguments(config, out),
            per_device_train_batch_size=config.rows,
            remove_unused_columns=False,
            dataset_kwargs={"skip_prepare_dataset": True},
        ),
        train_dataset=load_rows(inputs.traces, tokenizer),
        processing_class=tokenizer,
        data_collator=Collator(tokenizer.pad_token_id),
    )
    trainer.add_callback(Snapshots(config.snapshots, tokenizer, out / SNAPSHOTS))
    return finish(out, mark, "sft", run(trainer, config, out))


class RowSftTrainer(SFTTrainer):  # type: ignore[misc]
    """SFT on rows: logits are computed for what is learnt only, a fifth of the tokens."""

    def compute_loss(
        self,
        model: Any,
        inputs: dict[str, Tensor],
        return_outputs: bool = False,
        num_items_in_batch: Tensor | None = None,
    ) -> Tensor | tuple[Tensor, None]:
        """Mean loss over the batch's labelled tokens."""
        loss, accuracy = next_token_loss(model, inputs)
        self._metrics["train"]["mean_token_accuracy"].append(float(accuracy))
        self._metrics["train"]["tokens"].append(float((inputs["labels"] >= 0).sum()))
        self.state.num_input_tokens_seen += int((inputs["segments"] >= 0).sum())
        return (loss, None) if return_outputs else loss


class Snapshots(TrainerCallback):  # type: ignore[misc]
    """Keeps the model after some steps."""

    def __init__(self, steps: Collection[int], tokenizer: Any, folder: Path) -> None:
        self._steps, self._tokenizer, self._folder = steps, tokenizer, folder

    def on_step_end(self, args: Any, state: Any, control: Any, model: Any = None, **_: Any) -> None:
        """Called by the trainer after each step."""
        if state.global_step in self._steps:
            folder = self._folder / str(state.global_step)
            folder.mkdir(parents=True, exist_ok=True)
            save_model(model, self._tokenizer, folder / "model")


class Collator:
    """Batches of flattened rows."""

    def __init__(self, pad: int) -> None:
        self._pad = pad

    def __call__(self, rows: Sequence[dict[str, Any]]) -> dict[str, Tensor]:
        """See `hat.training.encoding.collate`."""
        return collate(rows, self._pad)
