"""Data of a model: a file's path, or the JSON text that a Stan program reads."""

from __future__ import annotations

import json
import os
from typing import Any, Mapping, Union

import numpy as np

from ravi.errors import UsageError, a_type, valid_text

Data = Union[None, str, "os.PathLike[str]", Mapping[str, Any]]


def _not_finite_as_text(value: Any) -> Any:
    """What JSON has no number for, as Stan writes it: "NaN", "Inf", "-Inf"."""
    if isinstance(value, list):
        return [_not_finite_as_text(v) for v in value]
    if isinstance(value, float) and not np.isfinite(value):
        return "NaN" if np.isnan(value) else "Inf" if value > 0 else "-Inf"
    return value


def _as_json(name: str, value: Any) -> Any:
    """Numbers as nested lists, matrices by rows; whole numbers stay whole, booleans are 0 and 1."""
    try:
        array = np.asarray(value)
    except ValueError:
        array = np.asarray(None)  # rows of different lengths
    if array.size == 0 and array.dtype.kind == "f":
        array = array.astype(int)
    if array.dtype.kind == "b":
        array = array.astype(int)
    if array.dtype.kind not in "iuf":
        raise UsageError(
            f"data: {name} is {_described(value)}, but data must be numbers or arrays of them"
        )
    nested = array.tolist()
    return nested if np.isfinite(array).all() else _not_finite_as_text(nested)


def _described(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return "a list of other things, or of lists of different lengths"
    return a_type(value)


def data_text(data: Data) -> str:
    """A path as it is, a mapping as JSON text, nothing as the empty text."""
    if data is None:
        return ""
    if isinstance(data, (str, os.PathLike)):
        path = os.fspath(data)
        if not path:
            raise UsageError("data: the path is empty")
        return valid_text(path, "data: the path")
    if not isinstance(data, Mapping):
        raise UsageError(
            f"data is {a_type(data)}, but it must be a dict of arrays, "
            "or the path of a .json or .csv file"
        )
    for name in data:
        if not isinstance(name, str):
            raise UsageError(f"data: the name {name!r} is not a string")
        valid_text(name, "data: the name")
    return json.dumps({name: _as_json(name, value) for name, value in data.items()})
