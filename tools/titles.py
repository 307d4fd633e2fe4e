"""The title paths of an edition's sections as vectors in memory; asks an embedder once and writes nothing."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from tools.ports import TextEmbedder

if TYPE_CHECKING:
    import numpy as np

    Rows: TypeAlias = np.ndarray[Any, np.dtype[np.float32]]


class Titles:
    """Embeds every title path, each once however many sections have it."""

    def __init__(self, paths: Mapping[str, str], embedder: TextEmbedder) -> None:
        import numpy as np

        self._ids = sorted(paths)
        texts = sorted(set(paths.values()), key=lambda text: (-len(text), text))
        rows = np.asarray(embedder.embed_documents(texts) if texts else [[]], dtype=np.float32)
        place = {text: number for number, text in enumerate(texts)}
        self._rows = _unit(rows)[[place[paths[one]] for one in self._ids]]

    def likeness(self, vector: list[float]) -> Mapping[str, float]:
        """The cosine of a vector with each title path, by section."""
        import numpy as np

        if not self._ids:
            return {}
        asked = _unit(np.asarray([vector], dtype=np.float32))[0]
        return dict(zip(self._ids, (self._rows @ asked).tolist(), strict=True))


def _unit(rows: "Rows") -> "Rows":
    """Rows of length one; a row of zeros stays."""
    import numpy as np

    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: Rows = (rows / np.where(lengths == 0, 1, lengths)).astype(np.float32)
    return unit
