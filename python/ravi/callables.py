"""A function f(theta) -> (log_density, gradient) as a model: whether it takes a matrix of draws."""

from __future__ import annotations

import warnings
from typing import Any, Callable, Optional, Tuple

import numpy as np

Density = Callable[[np.ndarray], Tuple[Any, Any]]


def _attempt(f: Density, theta: np.ndarray) -> Tuple[Optional[np.ndarray], Optional[np.ndarray]]:
    log_density, gradient = f(theta.copy())
    if np.iscomplexobj(log_density) or np.iscomplexobj(gradient):
        raise TypeError("complex numbers")
    return np.asarray(log_density, dtype=float), np.asarray(gradient, dtype=float)


def takes_a_matrix(f: Density, dim: int) -> bool:
    """Whether f of an (M, P) matrix is f of each row, tried once at a few points near zero.

    Raises what f raises when it can do neither.
    """
    count = 2 if dim == 3 else 3  # a matrix that is not square
    points = 0.1 * np.sin(np.arange(1.0, count * dim + 1)).reshape(count, dim)
    batch = None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            batch = _attempt(f, points)
        except Exception:  # noqa: BLE001 - any complaint means that it takes no matrix
            pass
    if batch is None or batch[0].shape != (count,) or batch[1].shape != (count, dim):
        return False
    try:
        rows = [_attempt(f, point) for point in points]
        singly = np.array([r[0] for r in rows]), np.array([r[1] for r in rows])
    except Exception:  # noqa: BLE001 - it takes nothing but a matrix
        return True
    if not np.isfinite(singly[0]).any():
        return False  # nothing to compare
    return all(
        a.shape == b.shape and np.allclose(a, b, rtol=1e-9, atol=1e-12, equal_nan=True)
        for a, b in zip(batch, singly)
    )
