"""ravi: robust averaged variational inference.

Fits a Gaussian to a posterior and says whether to trust it::

    import ravi

    fit = ravi.fit("eight-schools-noncentered")
    print(fit)            # the table, the verdict, and what to do next
    fit.verdict           # 'usable'
    fit.summary()         # a data frame, where pandas is installed
    fit.draws()["theta"]  # draws from the posterior, an array with a row per draw

A model is a built-in's name, a Stan program, a library of BridgeStan, or a function
``f(theta) -> (log_density, gradient)``. ``help(ravi.fit)`` explains every option.
"""

from ravi._ravi import version as _version
from ravi.errors import EnvironmentError, Error, UsageError
from ravi.fitting import fit
from ravi.result import Answer, Finding, Fit
from ravi.table import Table

__version__ = _version()
__all__ = [
    "Answer",
    "EnvironmentError",
    "Error",
    "Finding",
    "Fit",
    "Table",
    "UsageError",
    "fit",
]
