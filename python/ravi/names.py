"""Names of quantities, and the arrays they are elements of: theta[1], theta[2] belong to theta."""

from __future__ import annotations

import re
from typing import Dict, List, Sequence, Tuple

import numpy as np

_ELEMENT = re.compile(r"(.+)\[(\d+(?:,\d+)*)\]")


def _element(name: str) -> Tuple[str, Tuple[int, ...]]:
    match = _ELEMENT.fullmatch(name)
    if not match:
        return name, ()
    return match[1], tuple(int(i) for i in match[2].split(","))


def _is_whole(indices: Sequence[Tuple[int, ...]]) -> bool:
    """Whether they are all the indices of one array, from 1, in any order."""
    if len({len(i) for i in indices}) > 1:
        return False
    shape = np.max(indices, axis=0)
    return (
        len(set(indices)) == len(indices) == np.prod(shape, dtype=int)
        and np.min(indices, axis=0).min(initial=1) >= 1
    )


def as_arrays(names: Sequence[str], values: np.ndarray) -> Dict[str, np.ndarray]:
    """Columns of values by name, elements of an array together: theta of shape (draws, 8).

    Names that only look like elements, with some of an array missing, stay on their own.
    """
    members: Dict[str, List[Tuple[Tuple[int, ...], int]]] = {}
    for column, name in enumerate(names):
        base, index = _element(name)
        members.setdefault(base, []).append((index, column))
    arrays: Dict[str, np.ndarray] = {}
    for base, found in members.items():
        indices = [index for index, _ in found]
        if indices == [()]:
            arrays[base] = values[:, found[0][1]]
        elif () not in indices and _is_whole(indices):
            array = np.empty((len(values), *np.max(indices, axis=0)))
            for index, column in found:
                array[(slice(None), *(i - 1 for i in index))] = values[:, column]
            arrays[base] = array
        else:
            arrays.update({names[column]: values[:, column] for _, column in found})
    return arrays
