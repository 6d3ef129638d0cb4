"""A small valid harness to start from: one of each part, written out with care to be edited."""

from pathlib import Path

from hat.harness import template_en, template_zh
from hat.harness.swap import write_tree

TEMPLATES = {"zh": template_zh, "en": template_en}


def new_harness(path: Path | str, locale: str = "zh-CN") -> None:
    """Write the starting harness of a language to a folder that is not there yet or empty.

    Raises:
        ValueError: no template in that language.
        FileExistsError: the folder holds something.
    """
    target = Path(path)
    language = locale.lower().split("-")[0]
    if language not in TEMPLATES:
        raise ValueError(f"no template for locale {locale!r}: use zh-CN or en")
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise FileExistsError(f"{target} is there already: name a new folder")
    files = TEMPLATES[language].FILES | {"harness.yaml": MANIFEST.format(locale=locale)}
    write_tree(target, {name: text.encode() for name, text in files.items()})


MANIFEST = """\
# What belongs together and in which order the model sees it.
apiVersion: hat/v1
name: my-harness
locale: {locale}
# Prompt sections, and the words `skills` and `tools` where the two indexes go.
order:
  - persona
  - skills
  - tools
  - reply_style
limits:
  max_turns: 8
  max_retries: 2
"""
