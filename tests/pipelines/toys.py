"""Small pipelines for the tests: two lanes that take a moment, a decision, a branch; the same lanes in a loop."""

from typing import NamedTuple

from kfp import dsl


@dsl.component(base_image="python:3.11", install_kfp_package=False)
def lane(name: str, marks: str, fails: bool, out: dsl.Output[dsl.Artifact]):
    import pathlib
    import time

    began = time.time()
    checkpoint = pathlib.Path(out.path + ".checkpoint")
    steps = int(checkpoint.read_text()) if checkpoint.exists() else 0
    checkpoint.write_text(str(steps + 1))
    time.sleep(0.4)
    with pathlib.Path(marks).open("a") as file:
        file.write(f"{name} {began} {time.time()}\n")
    if fails and steps == 0:
        raise OSError(28, "No space left on device")
    pathlib.Path(out.path).write_text(name)


@dsl.component(base_image="python:3.11", install_kfp_package=False)
def decide(a: dsl.Input[dsl.Artifact], b: dsl.Input[dsl.Artifact]) -> NamedTuple("D", [("verdict", str)]):  # type: ignore[valid-type]
    return (open(a.path).read() + open(b.path).read(),)  # noqa: PTH123


@dsl.component(base_image="python:3.11", install_kfp_package=False)
def act(marks: str):
    import pathlib

    with pathlib.Path(marks).open("a") as file:
        file.write("act 0 0\n")


@dsl.pipeline(name="toy")
def toy(marks: str, fails: bool = False, wanted: str = "ab"):
    a = lane(name="a", marks=marks, fails=False)
    b = lane(name="b", marks=marks, fails=fails)
    b.set_retry(num_retries=3, backoff_duration="60s")
    decided = decide(a=a.output, b=b.output)
    with dsl.If(decided.outputs["verdict"] == wanted):
        act(marks=marks).set_caching_options(enable_caching=False)


@dsl.component(base_image="python:3.11", install_kfp_package=False)
def greet(word: str) -> str:
    return f"good {word}"


@dsl.component(base_image="python:3.11", install_kfp_package=False)
def gather(words: dsl.Input[list[dsl.Artifact]], marks: str):
    import pathlib

    text = ",".join(pathlib.Path(word.path).read_text() for word in words)
    with pathlib.Path(marks).open("a") as file:
        file.write(f"{text} 0 0\n")


@dsl.component(base_image="python:3.11", install_kfp_package=False)
def join(one: dsl.Input[dsl.Artifact], said: str, out: dsl.Output[dsl.Artifact]):
    import pathlib

    pathlib.Path(out.path).write_text(f"{pathlib.Path(one.path).read_text()}-{said.replace(' ', '-')}")


@dsl.pipeline(name="toy-loop")
def toy_loop(marks: str, names: list = ["x", "y", "z"], fails: bool = False):  # noqa: B006 (KFP's way to give a default)
    said = greet(word="day")
    with dsl.ParallelFor(names, name="each-name") as name:
        one = lane(name=name, marks=marks, fails=fails)
        joined = join(one=one.output, said=said.output)
    gather(words=dsl.Collected(joined.output), marks=marks)
