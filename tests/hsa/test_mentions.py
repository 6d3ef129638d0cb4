import re

from hat.harness import Harness
from hat.hsa.mentions import rename_params, rename_skills, rename_tools, texts
from tests.hsa.harnesses import talkative


def everything(harness: Harness) -> str:
    parts = harness.model_dump(
        exclude={"tools": {"__all__": {"binding"}}, "skills": {"__all__": {"metadata": {"duties"}}}}
    )
    return repr(parts)


def test_rename_tools__old_name_is_gone_as_a_word_everywhere() -> None:
    renamed = rename_tools(talkative(), {"get_stock": "zapo_kiru"})
    assert "zapo_kiru" in renamed.skills[0].body
    assert "zapo_kiru" in renamed.skills[0].description
    assert "zapo_kiru" in renamed.sections[0].body
    assert renamed.skills[0].allowed_tools == ("zapo_kiru", "get_price")
    assert renamed.skills[0].resources["references/note.md"].decode() == "见 zapo_kiru"
    left = everything(renamed).replace("\\x89get_stock", "")
    assert not re.search(r"(?<!\w)get_stock(?!\w)", left)


def test_rename_tools__binary_resources_stay() -> None:
    assert rename_tools(talkative(), {"get_stock": "zapo_kiru"}).skills[0].resources["logo.png"] == b"\x89get_stock"


def test_rename_tools__binding_keeps_what_it_stands_for() -> None:
    renamed = rename_tools(talkative(), {"get_stock": "zapo_kiru", "get_price": "bibi_bobo"})
    assert [tool.bound.tool for tool in renamed.tools] == ["get_stock", "get_product_info_by_link_id"]
    assert renamed.tools[1].bound.fields == ("price",)


def test_rename_tools__matcher_selects_the_same_tools() -> None:
    renamed = rename_tools(talkative(), {"get_stock": "zapo_kiru"})
    matched = [tool.bound.tool for tool in renamed.tools if re.fullmatch(renamed.hooks[0].matcher, tool.name)]
    assert matched == ["get_stock", "get_product_info_by_link_id"]


def test_rename_tools__matcher_that_matches_all_stays() -> None:
    harness = talkative()
    star = harness.model_copy(update={"hooks": (harness.hooks[0].model_copy(update={"matcher": "*"}),)})
    assert rename_tools(star, {"get_stock": "zapo_kiru"}).hooks[0].matcher == "*"


def test_rename_params__schema_binding_and_cel_follow() -> None:
    renamed = rename_params(talkative(), {"link_id": "mola_vi"})
    assert list(renamed.tools[0].input_schema["properties"]) == ["mola_vi"]
    assert renamed.tools[0].input_schema["required"] == ["mola_vi"]
    assert renamed.tools[0].bound.params == {"mola_vi": "link_id"}
    assert "tool_input.mola_vi <= 0" in (renamed.hooks[0].when or "")
    assert renamed.hooks[0].message == "{tool_name} 要 mola_vi，见 item_qa。"


def test_rename_params__longer_words_stay() -> None:
    assert "current_link_id" in rename_params(talkative(), {"link_id": "mola_vi"}).sections[0].body


def test_rename_params__twice__maps_back_to_the_domain() -> None:
    twice = rename_params(rename_params(talkative(), {"link_id": "mola_vi"}), {"mola_vi": "bari_so"})
    assert twice.tools[0].bound.params == {"bari_so": "link_id"}


def test_rename_skills__duty_stays_and_cel_follows() -> None:
    renamed = rename_skills(talkative(), {"item_qa": "dodo_pe"})
    assert renamed.skills[0].alias == "dodo_pe"
    assert renamed.skills[0].duties == ("item_qa",)
    assert '"dodo_pe" in loaded_skills' in (renamed.hooks[0].when or "")


def test_rename_skills__ordinary_english_word_changes_only_where_quoted() -> None:
    english = talkative("en")
    english = english.model_copy(
        update={"sections": (english.sections[0].model_copy(update={"body": "Do not chat; load `chat` first."}),)}
    )
    renamed = rename_skills(english, {"chat": "dodo_pe"})
    assert renamed.sections[0].body == "Do not chat; load `dodo_pe` first."


def test_rename__forth_and_back__same_texts() -> None:
    harness = talkative()
    there = rename_tools(harness, {"get_stock": "zapo_kiru", "get_price": "get_stock_2"})
    back = rename_tools(there, {"zapo_kiru": "get_stock", "get_stock_2": "get_price"})
    assert [text for text in texts(back) if "|" not in text] == [t for t in texts(harness) if "|" not in t]
