"""Turns that ask one fact of one link: right away, after another link, of a failing tool, of a link not there."""

from typing import Any

from hat.domains.livestream.kinds import EXCLUSIVE, FACTS, FAULTS, FAULTY, FOLLOWED
from hat.domains.livestream.scene import Draft, Row, Scene
from hat.domains.livestream.tools import PASSING
from hat.domains.task import Expected, ExpectedCall


def fact(scene: Scene, kind: str) -> Draft | None:
    """One fact of one link, its tool failing now and then."""
    row = scene.rows[0]
    ref, current = scene.refer(row["link_id"])
    slots = _slots(scene, kind, row)
    expected = expect(scene, kind, row, slots)
    if _by_luck(expected, row["link_id"], current):
        return None
    message = scene.words.question(scene.rng, kind, ref=ref, **slots)
    if scene.rng.random() < FAULTY:
        fault = scene.rng.choice(FAULTS)
        return Draft(message, _after(scene, expected, fault), current, faults={FACTS[kind].tool: fault})
    return Draft(message, expected, current)


def follow(scene: Scene, _: str) -> Draft | None:
    """The same fact of another link than the turn before."""
    kind = scene.rng.choice(FOLLOWED)
    before, row = scene.rows[:2]
    asked, current = scene.refer(before["link_id"])
    explicit = current == before["link_id"] or scene.rng.random() < 0.7
    ref, shown = scene.refer(row["link_id"], explicit=explicit)
    current = current if explicit else shown
    expected = expect(scene, kind, row, {})
    earlier = expect(scene, kind, before, {})
    if _by_luck(expected, row["link_id"], current) or set(expected.values) == set(earlier.values):
        return None
    question = scene.words.question(scene.rng, kind, ref=asked)
    return Draft(
        scene.words.question(scene.rng, "follow", ref=ref), expected, current, history=((question, earlier.answer),)
    )


def missing_link(scene: Scene, _: str) -> Draft:
    """A fact of `this one` while nothing is on show: the right play asks which link."""
    kind = scene.rng.choice([kind for kind in FACTS if kind != "variant"])
    ref, _shown = scene.refer(0, explicit=False)
    answer, short = scene.words.answer("missing_link", {})
    expected = Expected(skill="clarification", answer=answer, short=short, any_of=scene.words.any_of["missing_link"])
    return Draft(scene.words.question(scene.rng, kind, ref=ref), expected)


def unknown_link(scene: Scene, _: str) -> Draft:
    """A fact of a link that the room does not have: the tool says so, and so does the reply."""
    kind = scene.rng.choice(FOLLOWED)
    link = scene.absent_link()
    ref, current = scene.refer(link, explicit=True)
    answer, short = scene.words.answer("unknown_link", {})
    expected = Expected(
        skill="clarification",
        calls=(ExpectedCall(tool=FACTS[kind].tool, arguments={"link_id": link}),),
        answer=answer,
        short=short,
        any_of=scene.words.any_of["unknown_link"],
        allowed=(str(link),),
    )
    return Draft(scene.words.question(scene.rng, kind, ref=ref), expected, current)


def expect(scene: Scene, kind: str, row: Row, slots: dict[str, Any]) -> Expected:
    """What a right play of a fact does when its tool works."""
    need = FACTS[kind]
    arguments = {"link_id": row["link_id"]}
    output = scene.tools.call(need.tool, arguments)
    name = kind if kind != "insurance" else "insurance_yes" if output[need.value] else "insurance_no"
    answer, short = scene.words.answer(name, output | slots)
    value = slots["count"] if kind == "variant" else output[need.value]
    forbidden = scene.words.forbidden.get(name, ())
    if kind in EXCLUSIVE:
        others = dict.fromkeys(other[kind] for other in scene.rows)
        forbidden = tuple(word for word in others if word not in value and value not in word)
    return Expected(
        skill=need.skill,
        calls=(ExpectedCall(tool=need.tool, arguments=arguments, needs=(need.value, *need.also)),),
        answer=answer,
        short=short,
        values=() if kind == "insurance" else (str(value),),
        any_of=scene.words.any_of.get(name, ()),
        forbidden=forbidden,
        pairs=tuple((label, str(output[key])) for label, key in scene.words.pairs.get(kind, ())),
    )


def _slots(scene: Scene, kind: str, row: Row) -> dict[str, Any]:
    if kind != "variant":
        return {}
    variant = scene.rng.choice(list(row["variants"]))
    return {"variant": variant, "count": row["variants"][variant]}


def _by_luck(expected: Expected, link: int, current: int | None) -> bool:
    """Whether naming the link, or the one on show, would say a value without knowing it."""
    return bool({str(link), str(current)} & {*expected.values, *(value for _, value in expected.pairs)})


def _after(scene: Scene, expected: Expected, fault: str) -> Expected:
    call = expected.calls[0]
    if fault in PASSING:
        return expected.model_copy(update={"calls": (call.model_copy(update={"attempts": 2}),)})
    answer, short = scene.words.answer("denied", {})
    bare = call.model_copy(update={"needs": ()})
    return Expected(
        skill=expected.skill, calls=(bare,), answer=answer, short=short, any_of=scene.words.any_of["denied"]
    )
