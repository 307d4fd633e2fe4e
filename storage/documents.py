"""Units as LangChain Documents: their text, and the metadata that everything else relies on."""

from typing import TYPE_CHECKING

from storage.model import METADATA_KEYS, SPECIFICATION, Unit

if TYPE_CHECKING:
    from langchain_core.documents import Document


def to_document(unit: Unit) -> "Document":
    """The unit's text, and metadata with exactly `METADATA_KEYS`."""
    from langchain_core.documents import Document

    return Document(id=unit.unitid, page_content=page_content(unit), metadata=metadata(unit))


def metadata(unit: Unit) -> dict[str, object]:
    """`METADATA_KEYS` in their order; `subsections` is a list, empty for a leaf."""
    special: dict[str, object] = {
        "sectiontitle": unit.title,
        "type": SPECIFICATION,
        "subsections": list(unit.subsections),
        "level": unit.level.value,
        "kind": unit.kind.value,
    }
    return {key: special[key] if key in special else getattr(unit, key) for key in METADATA_KEYS}


def page_content(unit: Unit) -> str:
    """A leaf's text; for a parent, a line that names it, a rule, and its own text with markers."""
    if not unit.subsections:
        return unit.text
    return f"[Section {unit.sectionid}: {unit.title}]\n\n---\n\n{unit.text}"
