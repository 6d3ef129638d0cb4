"""The fast path's parts against transformers' own forward, and their laws."""

import pytest
import torch
from engine_toys import VARIANTS, toy_model, toy_tokenizer
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from torch import Tensor

from hat.episode.engine.attention import merge, softmax_parts
from hat.episode.engine.blocks import plan_blocks
from hat.episode.engine.cache import CacheShape
from hat.episode.engine.pages import PagedCache
from hat.episode.engine.qwen3 import Qwen3Backend

TOKENIZER = toy_tokenizer()


def _ids(length: int, seed: int) -> list[int]:
    return torch.randint(10, len(TOKENIZER), (length,), generator=torch.Generator().manual_seed(seed)).tolist()


def _logits(model: torch.nn.Module, ids: list[int]) -> Tensor:
    return model(torch.tensor([ids])).logits[0]


class Twin:
    """A backend, and what each of its rows was told, checked against the model's own forward."""

    def __init__(self, model: torch.nn.Module, prefixes: list[list[int]], tolerance: float = 1e-4) -> None:
        self.model, self.prefixes, self.tolerance = model, prefixes, tolerance
        self.backend = Qwen3Backend(model)
        self.told: list[list[int]] = []
        for prefix in prefixes:
            self.backend.open_prefix(prefix)

    def admit(self, slot: int, prefix: int) -> None:
        self.backend.admit(slot, prefix)
        self.told[slot : slot + 1] = [list(self.prefixes[prefix])]

    def retire(self, slot: int) -> None:
        self.backend.retire(slot)
        last = self.told.pop()
        if slot < len(self.told):
            self.told[slot] = last

    def close(self, slot: int) -> None:
        self.backend.close_prefix(slot)
        last = self.prefixes.pop()
        if slot < len(self.prefixes):
            self.prefixes[slot] = last

    def extend(self, slots: list[int], lengths: list[int]) -> None:
        chunks = [_ids(length, 7 + length) for length in lengths]
        for slot, chunk in zip(slots, chunks, strict=True):
            self.told[slot] += chunk
        self.check(slots, self.backend.extend(slots, chunks))

    def step(self, waiting: int | None = None) -> None:
        slots = [slot for slot in range(len(self.told)) if slot != waiting]
        tokens = [_ids(1, 40 + slot)[0] if slot in slots else None for slot in range(len(self.told))]
        logits = self.backend.step(tokens)
        for slot in slots:
            self.told[slot] += _ids(1, 40 + slot)
        self.check(slots, logits[slots])

    def check(self, slots: list[int], logits_RV: Tensor) -> None:
        for slot, logits_V in zip(slots, logits_RV, strict=True):
            expected = _logits(self.model, self.told[slot])[-1].float()
            torch.testing.assert_close(logits_V, expected, atol=self.tolerance, rtol=self.tolerance)


def _play_through(twin: Twin) -> None:
    """Every kind of move: unequal prefixes, ragged chunks over page borders, waiting, leaving, coming back."""
    for slot, prefix in enumerate((0, 0, 1, 2, 1)):
        twin.admit(slot, prefix)
    twin.extend([0, 1, 2, 3, 4], [5, 9, 1, 70, 3])
    twin.step()
    twin.extend([3, 0], [66, 4])
    twin.step(waiting=1)
    for slot in (0, 3, 1):
        twin.retire(slot)
        twin.step()
    twin.close(2)
    twin.close(0)
    twin.step()
    twin.admit(2, 0)
    twin.admit(0, 0)
    twin.extend([2, 0, 1], [2, 20, 130])
    twin.step()


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("variant", VARIANTS)
@torch.inference_mode()
def test_fast_path__logits_equal_transformers_through_every_move(
    variant: dict[str, int], monkeypatch: pytest.MonkeyPatch, *, packed: bool
) -> None:
    if not packed:
        monkeypatch.setattr("hat.episode.engine.weights.PACKED_LIMIT", 0)
    _play_through(Twin(toy_model(len(TOKENIZER), **variant), [_ids(70, 1), _ids(33, 2), _ids(1, 3)]))


@torch.inference_mode()
def test_fast_path__bfloat16_stays_within_its_rounding() -> None:
    model = toy_model(len(TOKENIZER)).to(torch.bfloat16)
    _play_through(Twin(model, [_ids(70, 1), _ids(33, 2), _ids(1, 3)], tolerance=0.15))


class PageLedger(RuleBasedStateMachine):
    """A `PagedCache` against a plain list of what each row holds."""

    def __init__(self) -> None:
        super().__init__()
        self.cache = PagedCache(CacheShape(1, 2, 4, torch.float32, torch.device("cpu")))
        self.held: list[list[float]] = []
        self.written = 0.0

    @rule()
    def admit(self) -> None:
        self.cache.pages_of.append([])
        self.held.append([])

    @precondition(lambda self: self.held)
    @rule(data=st.data(), count=st.integers(1, 150))
    def write(self, data: st.DataObject, count: int) -> None:
        slot = data.draw(st.integers(0, len(self.held) - 1))
        begin = len(self.held[slot])
        values = [self.written + i for i in range(count)]
        self.written += count
        self.held[slot] += values
        self.cache.reserve(slot, begin + count)
        rows = self.cache.rows([slot] * count, range(begin, begin + count))
        key = torch.tensor(values)[:, None, None].expand(count, 2, 4)
        self.cache.write(0, rows, key, -key)

    @precondition(lambda self: self.held)
    @rule(data=st.data(), whole=st.booleans())
    def leave(self, data: st.DataObject, *, whole: bool) -> None:
        slot = data.draw(st.integers(0, len(self.held) - 1))
        if not whole:
            self.cache.clear(slot)
            self.held[slot] = []
            return
        self.cache.retire(slot)
        last = self.held.pop()
        if slot < len(self.held):
            self.held[slot] = last

    @invariant()
    def rows_hold_what_was_written(self) -> None:
        assert sum(map(len, self.cache.pages_of)) == len(self.cache.owner)
        for slot, values in enumerate(self.held):
            if values:
                key, value = self.cache.row(slot, 0, len(values))
                assert key[1, :, 3].tolist() == values
                assert value[0, :, 0].tolist() == [-v for v in values]


PageLedger.TestCase.settings = settings(max_examples=25, stateful_step_count=20, deadline=None)
test_pages__rows_hold_what_was_written = PageLedger.TestCase


@given(
    st.lists(st.sampled_from([0, 0, 0, 0, 0, 0, 1, 2, 3]), min_size=1, max_size=60),
    st.lists(st.integers(1, 9), min_size=4, max_size=4),
)
@settings(deadline=None, max_examples=60)
def test_plan__every_token_meets_its_own_prefix_once(prefix_of: list[int], lengths: list[int]) -> None:
    plan = plan_blocks(prefix_of, lengths, 1, torch.zeros(1))
    met: list[tuple[int, int]] = []
    for block in plan.blocks:
        tokens = [list(range(len(prefix_of)))] if block.index_GM is None else block.index_GM.tolist()
        for prefix, line in zip(range(block.start, block.stop), tokens, strict=True):
            seen = block.length
            if block.bias_B1S is not None:
                seen = int((block.bias_B1S[prefix - block.start] == 0).sum())
            assert seen == lengths[prefix]
            met += [(token, prefix) for token in line]
    order = range(len(met)) if plan.inverse is None else plan.inverse.tolist()
    assert [met[i] for i in order][: len(prefix_of)] == list(enumerate(prefix_of))


@given(st.integers(1, 12), st.integers(0, 12), st.floats(0.1, 30.0))
@settings(deadline=None, max_examples=40)
def test_merge__equals_one_softmax_over_all_keys(first: int, second: int, scale: float) -> None:
    torch.manual_seed(first * 13 + second)
    q, k, v = torch.randn(2, 1, 8) * scale, torch.randn(2, first + second + 1, 8), torch.randn(2, first + second + 1, 8)
    parts = [softmax_parts(q, k[:, part], v[:, part], None) for part in (slice(first), slice(first, None))]
    out = merge(*[(out, lse) for out, lse in parts])
    torch.testing.assert_close(out, softmax_parts(q, k, v, None)[0], atol=1e-5, rtol=1e-4)
