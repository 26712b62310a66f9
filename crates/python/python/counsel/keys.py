"""Keys of observations, exactly as they are."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._counsel import context_key
from .errors import RefusedError

__all__ = ["observation_key"]


def observation_key(observation: Any) -> int:
    """The key of an observation: the digest of its bytes. Unlike :func:`counsel.context_key` it takes numbers with a fraction, as
    they are: equal observations have equal keys, and no others do.

    >>> import numpy as np
    >>> observation_key(np.zeros(3)) == observation_key(np.zeros(3)) != observation_key(np.ones(3))
    True
    """
    return context_key(_exact(observation))


def _exact(part: Any) -> Any:
    if isinstance(part, dict):
        return {name: _exact(inner) for name, inner in part.items()}
    if isinstance(part, (tuple, list)):
        return tuple(_exact(inner) for inner in part)
    if part is None or isinstance(part, (str, bytes)):
        return part
    array = np.asarray(part)
    if array.dtype.hasobject:
        raise RefusedError(f"the observation holds {part!r}, of which only the address is known; pass text, numbers, or arrays of them")
    return array.dtype.str, array.shape, array.tobytes()
