"""Checks of harness.yaml: that its lists and the files agree."""

from collections.abc import Iterator

from hat.harness.checks.sections import RESERVED
from hat.harness.findings import Finding
from hat.harness.layout import API_VERSION, ManifestFile
from hat.harness.reading import Reading, Source

FILES = {"skills": "skills/{}/SKILL.md", "hooks": "hooks/{}.yaml", "tools": "tools/{}.json"}


def check_manifest(reading: Reading) -> Iterator[Finding]:
    """Findings of harness.yaml; it names parts by their files, so a part that could not be read counts as there."""
    manifest, source = reading.manifest, reading.manifest_source
    if manifest is None:
        return
    if manifest.api_version != API_VERSION:
        message = f"apiVersion is {manifest.api_version!r}: this version reads {API_VERSION!r}"
        yield source.at(("apiVersion",), "bad_value", message)
    yield from _order(manifest, source, reading.sources["prompts"])
    for kind, pattern in FILES.items():
        names: tuple[str, ...] = getattr(manifest, kind)
        yield from _twice(kind, names, source)
        for index, name in enumerate(names):
            if name not in reading.sources[kind]:
                message = f"{kind} names {name!r}, but there is no {pattern.format(name)}: write it or remove the name"
                yield source.at((kind, index), "missing_part", message)


def _order(manifest: ManifestFile, source: Source, sections: dict[str, Source]) -> Iterator[Finding]:
    order = manifest.order
    yield from _twice("order", order, source)
    for index, name in enumerate(order):
        if name not in sections and name not in RESERVED:
            message = f"order names {name!r}, but there is no prompts/{name}.md: write it or remove the name"
            yield source.at(("order", index), "missing_section", message)
    for word in RESERVED:
        if word not in order:
            message = f"order lacks the word {word!r}, which places the index of {word}: add it"
            yield source.at(("order",), "missing_word", message)
    for name, section in sections.items():
        if name not in order:
            message = f"section {name!r} is not in the order of harness.yaml, so it is never shown: add it there"
            yield section.at((), "not_in_order", message)


def _twice(key: str, names: tuple[str, ...], source: Source) -> Iterator[Finding]:
    for index, name in enumerate(names):
        if name in names[:index]:
            yield source.at((key, index), "duplicate_name", f"{key} names {name!r} twice: keep one")
