"""All other turns: chat, names instead of links, sizes, savings, the lottery, and two links side by side."""

from hat.domains.livestream.kinds import COMPARED, INFO
from hat.domains.livestream.scene import Draft, Row, Scene
from hat.domains.task import Expected, ExpectedCall


def chat(scene: Scene, kind: str) -> Draft:
    """A word that asks for nothing but a kind answer."""
    answer, short = scene.words.answer(kind, {})
    expected = Expected(skill="chat", answer=answer, short=short)
    return Draft(scene.words.question(scene.rng, kind), expected, scene.any_link())


def clock(scene: Scene, kind: str) -> Draft:
    """The time, which the room state shows."""
    time = scene.world["time"]
    answer, short = scene.words.answer(kind, {"time": time})
    expected = Expected(skill="chat", answer=answer, short=short, values=(time,))
    return Draft(scene.words.question(scene.rng, kind), expected, scene.any_link())


def lottery(scene: Scene, kind: str) -> Draft:
    """When the draw is, or what it gives."""
    key = kind.removeprefix("lottery_")
    output = scene.tools.call("get_lottery", {})
    answer, short = scene.words.answer(kind, output)
    call = ExpectedCall(tool="get_lottery", arguments={}, needs=(key,))
    expected = Expected(skill="chat", calls=(call,), answer=answer, short=short, values=(output[key],))
    return Draft(scene.words.question(scene.rng, kind), expected, scene.any_link())


def where(scene: Scene, kind: str) -> Draft | None:
    """A product by its name: which link it is."""
    noun, link = next(scene.nouns(), (None, 0))
    current = scene.any_link()
    if noun is None or current == link:
        return None
    answer, short = scene.words.answer(kind, {"noun": noun, "link_id": link})
    expected = Expected(
        skill="item_qa", calls=(_search(noun, "link_ids"),), answer=answer, short=short, values=(str(link),)
    )
    return Draft(scene.words.question(scene.rng, kind, noun=noun), expected, current)


def price_by_name(scene: Scene, kind: str) -> Draft | None:
    """The price of a product by its name: two calls, one after the other."""
    noun, link = next(scene.nouns(), (None, 0))
    if noun is None:
        return None
    output = scene.tools.call(INFO, {"link_id": link})
    current = scene.any_link()
    if str(output["price"]) in (str(link), str(current)):
        return None
    answer, short = scene.words.answer("price", output)
    calls = (_search(noun, "link_ids"), ExpectedCall(tool=INFO, arguments={"link_id": link}, needs=("price",)))
    expected = Expected(skill="item_qa", calls=calls, answer=answer, short=short, values=(str(output["price"]),))
    return Draft(scene.words.question(scene.rng, kind, noun=noun), expected, current)


def unknown_product(scene: Scene, kind: str) -> Draft | None:
    """A product that is not on sale: the search finds nothing, and the reply says so."""
    noun = scene.rng.choice(scene.words.unknown)
    if scene.tools.call("search_products", {"keyword": noun})["link_ids"]:
        return None
    asked = scene.rng.choice(("where", "price_by_name"))
    answer, short = scene.words.answer(kind, {"noun": noun})
    expected = Expected(
        skill="clarification", calls=(_search(noun),), answer=answer, short=short, any_of=scene.words.any_of[kind]
    )
    return Draft(scene.words.question(scene.rng, asked, noun=noun), expected, scene.any_link())


def missing_body(scene: Scene, kind: str) -> Draft | None:
    """A size without height and weight, or without weight: the right play asks for what is missing."""
    row = _sized(scene)
    if row is None:
        return None
    ref, current = scene.refer(row["link_id"])
    answer, short = scene.words.answer(kind, {})
    expected = Expected(skill="clarification", answer=answer, short=short, any_of=scene.words.any_of[kind])
    message = scene.words.question(scene.rng, kind, ref=ref, height=scene.rng.randint(150, 188))
    return Draft(message, expected, current)


def size(scene: Scene, kind: str) -> Draft | None:
    """The size for a height and a weight."""
    row = _sized(scene)
    if row is None:
        return None
    ref, current = scene.refer(row["link_id"])
    body = {"height_cm": scene.rng.randint(150, 188), "weight_kg": scene.rng.randint(42, 90)}
    arguments = {"link_id": row["link_id"]} | body
    output = scene.tools.call("get_size_advice", arguments)
    answer, short = scene.words.answer(kind, output)
    expected = Expected(
        skill="size_advice",
        calls=(ExpectedCall(tool="get_size_advice", arguments=arguments, needs=("size",)),),
        answer=answer,
        short=short,
        values=(output["size"],),
        forbidden=tuple(name for name, *_ in row["size_table"] if name != output["size"]),
    )
    slots = {"height": body["height_cm"], "weight": body["weight_kg"]}
    return Draft(scene.words.question(scene.rng, kind, ref=ref, **slots), expected, current)


def promotion(scene: Scene, kind: str) -> Draft | None:
    """All savings on a link: coupon and promotion, both looked up."""
    row = scene.rows[0]
    link = {"link_id": row["link_id"]}
    needs = {"get_coupons": ("coupon_amount", "coupon_threshold"), "get_promotion": ("promotion_price",)}
    output = {key: value for tool in needs for key, value in scene.tools.call(tool, link).items()}
    ref, current = scene.refer(row["link_id"])
    values = [str(output[key]) for keys in needs.values() for key in keys]
    if len({*values, str(row["link_id"]), str(current)}) < len(values) + len({row["link_id"], current}):
        return None
    answer, short = scene.words.answer(kind, output)
    expected = Expected(
        skill="item_qa",
        strategy="promotion",
        calls=tuple(ExpectedCall(tool=tool, arguments=link, needs=keys) for tool, keys in needs.items()),
        answer=answer,
        short=short,
        values=(str(output["coupon_amount"]), str(output["promotion_price"])),
        pairs=tuple((label, str(output[key])) for label, key in scene.words.pairs["coupon"]),
    )
    return Draft(scene.words.question(scene.rng, kind, ref=ref), expected, current)


def compare(scene: Scene, kind: str) -> Draft | None:
    """Two links side by side: each looked up, then the better one named."""
    key = COMPARED[kind]
    one, two = scene.rows[:2]
    a, b, left, right = one["link_id"], two["link_id"], one[key], two[key]
    if left == right or {a, b} & {left, right}:
        return None
    best = a if left < right else b
    ref, current = scene.refer(a)
    words = scene.words.pairs[kind]
    answer, short = scene.words.answer(kind, {"a": a, "b": b, "left": left, "right": right, "best": best})
    expected = Expected(
        skill="item_qa",
        strategy="compare_items",
        calls=tuple(ExpectedCall(tool=INFO, arguments={"link_id": link}, needs=(key,)) for link in (a, b)),
        answer=answer,
        short=short,
        values=(str(best),),
        any_of=scene.words.any_of[kind],
        allowed=(f"{round(abs(left - right), 2):g}",),
        pairs=((str(a), str(left)), (str(b), str(right)), *((str(best), word) for word in words)),
    )
    other = scene.words.link(scene.rng, b)
    return Draft(scene.words.question(scene.rng, kind, ref=ref, other=other), expected, current)


def _search(noun: str, *needs: str) -> ExpectedCall:
    return ExpectedCall(tool="search_products", arguments={"keyword": noun}, needs=needs, loose=("keyword",))


def _sized(scene: Scene) -> Row | None:
    return next((row for row in scene.rows if row["size_table"]), None)
