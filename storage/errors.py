"""The tree of everything this project raises on purpose.

    Ask262Error
    +-- SettingsError          a setting is misspelt, missing or out of range
    +-- SourceError            the specification's HTML cannot be read or fetched
    +-- StructureError         the HTML contradicts itself (two sections with one id, a failed proof)
    +-- StoreError             the store is missing, locked, damaged or of another schema
    |   +-- NoStoreError       nothing was ever ingested here
    |   +-- UnknownEditionError  an edition that this store does not hold
    |   +-- EmbedderMismatchError  built with one embedder, asked with another
    +-- EmbedderError          an embedding model cannot be loaded, or answers nonsense
    +-- ModelError             a chat model cannot be loaded or reached
    +-- InputError             what a person typed cannot be used

A message says what happened, with which value, and the command that mends it. Programs print it as
one line on standard error and exit with 1; everything else keeps its traceback.
"""


class Ask262Error(Exception):
    """Foreseeable, and explained in one line."""


class SettingsError(Ask262Error):
    """A setting is misspelt, missing or out of range."""


class SourceError(Ask262Error):
    """The specification's HTML cannot be read or fetched."""


class StructureError(Ask262Error):
    """The HTML contradicts itself, or a proof about its tree failed."""


class StoreError(Ask262Error):
    """The store is missing, locked, damaged or of another schema."""


class NoStoreError(StoreError):
    """Nothing was ever ingested here."""


class UnknownEditionError(StoreError):
    """An edition that this store does not hold."""


class EmbedderMismatchError(StoreError):
    """The edition was built with one embedder and is asked with another."""


class EmbedderError(Ask262Error):
    """An embedding model cannot be loaded, or answers nonsense."""


class ModelError(Ask262Error):
    """A chat model cannot be loaded or reached."""


class InputError(Ask262Error):
    """What a person typed cannot be used."""
