"""Pictures of a fit with matplotlib: marginal distributions, and the ELBO."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional, Sequence

import numpy as np

from ravi.errors import UsageError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ravi.result import Fit

_MOST = 8  # marginals unless asked for
_COLUMNS = 3


def _marginal(axes: "Axes", fit: "Fit", name: str) -> None:
    """Histograms of q as it is, and of the weighted draws where the weights can be trusted."""
    answer = fit._common()
    values = answer.quantities[:, answer.names.index(name)]
    weights = np.exp(answer.log_weights)
    finite = np.isfinite(values)
    low, high = np.quantile(values[: answer.plain][finite[: answer.plain]], [0.001, 0.999])
    bins = np.linspace(low, high, 50)
    axes.hist(values[: answer.plain], bins, density=True, histtype="step", label="q")
    if answer.weighted:
        axes.hist(values, bins, weights=weights, density=True, alpha=0.4, label="weighted")
    axes.set_title(name, parse_math=False)  # a name is no formula
    axes.set_yticks([])


def _elbo(axes: "Axes", fit: "Fit") -> None:
    for number, trace in enumerate(fit.chain_elbo):
        points = trace["every"] * (np.arange(len(trace["elbo"])) + 0.5)
        axes.plot(points, trace["elbo"], linewidth=1, label=f"chain {number + 1}")
    axes.set_title("ELBO by iteration")


def plot(fit: "Fit", parameters: Optional[Sequence[str]] = None) -> np.ndarray:
    """See Fit.plot."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("plot() needs matplotlib (Debian: python3-matplotlib)") from error
    names = list(parameters) if parameters is not None else fit.names[:_MOST]
    for name in names:
        if name not in fit.names:
            raise UsageError(f"no quantity is called {name!r}; fit.names lists them")
    rows = -(-(len(names) + 1) // _COLUMNS)
    size = (4 * _COLUMNS, 2.6 * rows)
    _, grid = plt.subplots(rows, _COLUMNS, figsize=size, layout="constrained", squeeze=False)
    panels = grid.flatten()
    for panel, name in zip(panels, names):
        _marginal(panel, fit, name)
    _elbo(panels[len(names)], fit)
    if names:
        panels[0].legend()
    for panel in panels[len(names) + 1 :]:
        panel.remove()
    return panels[: len(names) + 1]
