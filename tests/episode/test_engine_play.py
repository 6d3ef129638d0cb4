"""Episodes played by the in-process policy: control flow, records, limits, loading."""

import json
from pathlib import Path

import pytest
from engine_toys import CALL, TOOL, Forced, conversation, conversations, toy_model, toy_tokenizer
from small_world import LOADED, LOOKED, Scripted, World, ask, build, calling, said

from hat.episode import ChatRequest, Episode, Message, PolicyError, Trace, episode
from hat.episode.drive import run_episodes
from hat.episode.engine import ModelDirectoryError
from hat.episode.engine.template import template_form, write_messages
from hat.episode.loop import play
from hat.episode.policies.transformers_policy import TransformersPolicy

TOKENIZER = toy_tokenizer()
MODEL = toy_model(len(TOKENIZER), context=2048)


def _forced(script: list[list[str]], **options: int) -> Forced:
    policy = Forced(MODEL, TOKENIZER, **options)
    policy.script = script
    return policy


def test_drive__rollout_is_the_conversation_in_tokens() -> None:
    policy = _forced([[CALL, "价格是元<|im_end|>"]])
    (rollout,) = policy.drive([conversation("这件多少钱？", ['{"price": 9}'], turns=2)])
    trace = rollout.trace
    assert trace.messages[2].tool_calls[0].arguments == {"link_id": 3}
    assert trace.reply == "价格是元"
    whole = TOKENIZER.apply_chat_template(
        [template_form(m) for m in trace.messages], tools=[TOOL], tokenize=False
    ).removesuffix("\n")
    assert TOKENIZER.decode(rollout.prompt_ids + rollout.completion_ids) == whole
    sampled = [t for t, m in zip(rollout.completion_ids, rollout.completion_mask, strict=True) if m]
    assert TOKENIZER.decode(sampled) == CALL + "价格是元<|im_end|>"
    assert all((logp < 0) == bool(m) for logp, m in zip(rollout.logps, rollout.completion_mask, strict=True))


def test_drive__rows_in_different_phases_each_get_their_own_answers() -> None:
    script = [[CALL] * (i % 3) + [f"回答{i}<|im_end|>"] * 3 for i in range(23)]
    policy = _forced(script, max_batch=4)
    episodes = [conversation(f"问{i}", [json.dumps({"price": i})], turns=i % 3 + 1) for i in range(23)]
    for i, rollout in enumerate(policy.drive(episodes)):
        assert rollout.trace.id == f"问{i}"
        assert rollout.trace.reply == f"回答{i}"
        tools = [m.content for m in rollout.trace.messages if m.role == "tool"]
        assert tools == [json.dumps({"price": i})] * (i % 3)
        assert [c.id for m in rollout.trace.messages for c in m.tool_calls] == [f"call_{k}" for k in range(i % 3)]


def test_run_episodes__drives_the_batch() -> None:
    traces = run_episodes(TransformersPolicy(MODEL, TOKENIZER, max_new_tokens=8), conversations(5))
    assert [len(t.messages) for t in traces] == [3, 5, 7, 9, 3]


def test_drive__the_agent_loop_gives_the_traces_of_a_scripted_policy() -> None:
    plays = [
        [LOADED, LOOKED, said("99元")],
        [said("全网最低"), LOADED, said("好"), LOOKED, said("99元")],
        [calling("nothing", {"x": "价"}), calling("look_up", "{broken"), said("好")],
    ]
    script = [[_written(message) for message in messages + messages[-1:] * 9] for messages in plays]
    policy = _forced(script, max_context=4096, max_batch=2)
    policy.name = "scripted"
    rollouts = policy.drive([_turn() for _ in plays])
    for messages, rollout in zip(plays, rollouts, strict=True):
        expected = play(_turn(), Scripted(*messages))
        assert _essence(rollout.trace) == _essence(expected)
        assert rollout.trace.usage.completion_tokens == sum(rollout.completion_mask)


def _turn() -> Episode:
    return episode(build(), ask(), World(), "scripted")


def _written(message: Message) -> str:
    return write_messages([message]).removeprefix("<|im_start|>assistant\n").removesuffix("\n")


def _essence(trace: Trace) -> tuple[object, ...]:
    spoken = [(m.role, m.content, [(c.name, c.arguments) for c in m.tool_calls]) for m in trace.messages]
    return spoken, trace.calls, trace.hooks, trace.skills, trace.reply, trace.stop


def test_max_new_tokens__cuts_an_answer_and_closes_its_turn() -> None:
    (rollout,) = _forced([["价" * 40]], max_new_tokens=6).drive([conversation("多少钱", ["{}"], turns=2)])
    assert rollout.trace.messages[2].content == "价" * 6
    assert TOKENIZER.decode(rollout.completion_ids).startswith("价" * 6 + "<|im_end|>\n<|im_start|>user\n")
    assert sum(rollout.completion_mask) == 12


@pytest.mark.parametrize("room", [0, 10, 40])
def test_context__a_row_at_its_limit_ends_recorded_and_others_go_on(room: int) -> None:
    prompt = len(TransformersPolicy(MODEL, TOKENIZER).format.prompt(next(conversation("长" * 30, [], turns=1))))
    script = [["价" * 30 + "<|im_end|>"] * 2, ["好<|im_end|>"] * 2]
    policy = _forced(script, max_context=prompt + room)
    long, short = policy.drive([conversation("长" * 30, ["{}" * 9], turns=2), conversation("短", ["{}"], turns=1)])
    assert long.trace.stop == "policy_error"
    assert "context length" in str(long.trace.error)
    assert str(prompt + room) in str(long.trace.error)
    assert len(long.prompt_ids) + len(long.completion_ids) <= prompt + room
    assert short.trace.reply == "好"


def test_episode_over_at_once__has_an_empty_rollout() -> None:
    done = conversation("x", [], turns=0)
    other = conversation("y", [], turns=1)
    over, played = TransformersPolicy(MODEL, TOKENIZER, max_new_tokens=4).drive([done, other])
    assert (over.prompt_ids, over.completion_ids) == ([], [])
    assert played.completion_ids
    assert TransformersPolicy(MODEL, TOKENIZER).drive([]) == []


def test_environment_bug__stops_the_run() -> None:
    def broken() -> object:
        yield ChatRequest(messages=(Message(role="user", content="x"),), tools=())
        raise KeyError("bug")

    with pytest.raises(KeyError, match="bug"):
        TransformersPolicy(MODEL, TOKENIZER, max_new_tokens=2).drive([broken()])


def test_chat__answers_one_request() -> None:
    request = next(conversation("多少钱", []))
    response = _forced([[CALL]]).chat(request)
    assert response.message.tool_calls[0].name == "get_price"
    assert response.usage.prompt_tokens == len(
        TOKENIZER.apply_chat_template(
            [template_form(m) for m in request.messages], tools=[TOOL], add_generation_prompt=True, return_dict=False
        )
    )
    assert response.usage.completion_tokens == len(TOKENIZER.encode(CALL, add_special_tokens=False))


def test_chat__without_room_is_a_policy_error() -> None:
    with pytest.raises(PolicyError, match="context length"):
        TransformersPolicy(MODEL, TOKENIZER, max_context=20).chat(next(conversation("多少钱", [])))


@pytest.mark.parametrize("options", [{"temperature": -1.0}, {"max_new_tokens": 0}, {"max_batch": 0}])
def test_options__that_make_no_sense_are_named(options: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(options))):
        TransformersPolicy(MODEL, TOKENIZER, **options)


def test_load__plays_what_was_saved(tmp_path: Path) -> None:
    MODEL.save_pretrained(tmp_path / "tiny")
    TOKENIZER.save_pretrained(tmp_path / "tiny")
    policy = TransformersPolicy.load(tmp_path / "tiny", max_new_tokens=8)
    expected = TransformersPolicy(MODEL, TOKENIZER, max_new_tokens=8).drive(conversations(3))
    assert [r.completion_ids for r in policy.drive(conversations(3))] == [r.completion_ids for r in expected]
    assert policy.name == "tiny"


def test_load__says_all_that_is_missing(tmp_path: Path) -> None:
    with pytest.raises(ModelDirectoryError, match=f"{tmp_path}.*config.json.*weights.*tokenizer"):
        TransformersPolicy.load(tmp_path)
    with pytest.raises(ModelDirectoryError, match="nowhere: no such"):
        TransformersPolicy.load(tmp_path / "nowhere")
    (tmp_path / "file").touch()
    with pytest.raises(ModelDirectoryError, match="this is a file"):
        TransformersPolicy.load(tmp_path / "file")


def test_load__broken_weights_are_named(tmp_path: Path) -> None:
    MODEL.save_pretrained(tmp_path)
    TOKENIZER.save_pretrained(tmp_path)
    (tmp_path / "model.safetensors").write_bytes(b"half")
    with pytest.raises(ModelDirectoryError, match="cannot be loaded"):
        TransformersPolicy.load(tmp_path)


def test_load__what_is_neither_directory_nor_hub_id_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(ModelDirectoryError, match="nobody/nothing: no such directory, and not to be had from a hub"):
        TransformersPolicy.load("nobody/nothing")
