"""The sentence model and stop words that two of the libraries use, from LlamaIndex's package and no network.

Copied first: installers link a package's files to a cache, and NLTK refuses to read a file with two links.
Haystack and LlamaIndex would fetch the very same files where NLTK finds none.
"""

import importlib.util
import os
import shutil
from pathlib import Path

FOLDER = "nltk"
NEEDED = ("corpora/stopwords/english", "tokenizers/punkt_tab/english")
"""Of the package's forty languages."""


def offer_words(folder: Path) -> None:
    """Make the files readable in a folder of ours, and have NLTK look there first."""
    target = folder / FOLDER
    for name in NEEDED:
        _copy(_bundled() / name, target / name)
    # LlamaIndex reads the variable when it first cuts a text, NLTK when it is imported.
    os.environ["NLTK_DATA"] = str(target)
    import nltk

    if str(target) not in nltk.data.path:
        nltk.data.path.insert(0, str(target))


def _bundled() -> Path:
    spec = importlib.util.find_spec("llama_index.core")
    places = spec.submodule_search_locations if spec else None
    if not places:
        raise ModuleNotFoundError("llama_index.core")
    return Path(places[0]) / "_static" / "nltk_cache"


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True)
    else:
        shutil.copyfile(source, target)
