"""What a fit found: the answer, the findings, and whether to trust it."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from ravi import _ravi
from ravi.errors import UsageError
from ravi.names import as_arrays
from ravi.table import Table

if TYPE_CHECKING:
    import pandas as pd

Path = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class Finding:
    """One thing that a fit learned about itself; the same record as in fit.json."""

    code: str  # what scripts match: "chains-disagree"
    severity: str  # note, warning, failure
    message: str  # what is the case, with its numbers
    advice: str  # what to do next; --chains 4 is chains=4 here
    measure: str  # what was observed: "R-hat"; may be empty
    observed: float
    limit: float
    parameter: Optional[str]
    iteration: Optional[int]
    detail: Optional[str]  # what the model itself said
    source: str  # where the criterion comes from

    def __str__(self) -> str:
        return f"{self.severity} {self.code}: {self.message}\n  -> {self.advice}"


def _table(columns: Mapping[str, Any]) -> Union["pd.DataFrame", Table]:
    rest = {key: column for key, column in columns.items() if key not in ("name", "text")}
    try:
        import pandas as pd
    except ImportError:
        return Table(columns["name"], rest)
    return pd.DataFrame(rest, index=pd.Index(columns["name"], name="parameter"))


@dataclass(frozen=True, repr=False, eq=False)
class Answer:
    """One approximation q of the posterior, with draws, weights and score.

    Arrays are views of the fit's own memory, and read-only; ``.copy()`` makes one to change.
    """

    family: str
    mean: np.ndarray  # of q, on the unconstrained scale
    full_cov: Optional[np.ndarray]  # of a full-rank q
    scale: Optional[np.ndarray]  # standard deviations of a mean-field q
    elbo: float
    elbo_mcse: float
    khat: float  # median over the importance-sampling batches
    khat_text: str  # it, or that the weights hardly vary, where it says nothing
    khat_low: float  # quartiles of the batches
    khat_high: float
    efficiency: float  # effective sample size of q's own draws under their weights, as a share
    perplexity: float  # exp of the entropy of these weights, as a share: exp(-KL(p || q)) or so
    importance_draws: int  # with those of wider distributions and other optima
    importance_ess: float  # of those under their weights
    unseen_mass: float  # share of the posterior that they may have missed
    tail_shape: float
    unseen_variance: float
    share_of_q: float
    coarseness: float
    draws_kept: int  # those that summaries and files rest on
    resampled_distinct: int
    log_evidence: float
    modes: List[Dict[str, Any]]  # of a mixture: mass, mass_error, seen, chains, parameters of each
    bending: Optional[Dict[str, Any]]  # which parameters drive which, where a Gaussian would not do
    moves: Optional[Dict[str, Any]]  # what transitions did to draws, where weights would not do
    weighted: bool  # the draws can be trusted, and the summary uses their weights
    parameters: Dict[str, Any]  # the summary column by column
    unweighted_parameters: Dict[str, Any]
    reference: Optional[Dict[str, float]]  # distances to the reference posterior
    mode: Optional[int]  # which optimum, when the chains disagree, from 1
    mode_weight: float  # share of the posterior's mass there
    theta: np.ndarray  # draws on the unconstrained scale, a row each
    quantities: np.ndarray  # the same draws as the model's own quantities
    plain: int  # how many of them, from the first, are plain draws from q
    log_density: np.ndarray
    log_q: np.ndarray
    log_proposal: np.ndarray  # of the mixture that all are draws from; of p if moved
    log_weights: np.ndarray  # Pareto smoothed, normalized: exp() sums to one
    share_of_mode: np.ndarray  # of a mixture: how much each mode accounts for a draw, a row each
    resampled: np.ndarray  # as many draws again, chosen by weight: rows of theta

    @property
    def khat_quartiles(self) -> Tuple[float, float]:
        """khat_low and khat_high."""
        return self.khat_low, self.khat_high

    @property
    def names(self) -> List[str]:
        """Names of the quantities, in the order of summary()."""
        return list(self.parameters["name"])

    @property
    def cov(self) -> np.ndarray:
        """Covariance matrix of q on the unconstrained scale."""
        if self.full_cov is not None:
            return self.full_cov
        assert self.scale is not None
        return np.diag(self.scale**2)

    def summary(self, weighted: bool = True) -> Union["pd.DataFrame", Table]:
        """Mean, sd, quantiles and Monte Carlo errors of every quantity: a pandas.DataFrame with the
        names as its index, or a ravi.Table where pandas is not installed.

        Importance weighted where the weights can be trusted (``self.weighted``); with
        weighted=False, of q as it is.
        """
        return _table(self.parameters if weighted else self.unweighted_parameters)

    def _rows(self, resampled: bool) -> np.ndarray:
        if not resampled:
            return np.arange(len(self.theta))
        return self.resampled if self.weighted else np.arange(self.plain)

    def draws(self, resampled: bool = True) -> Dict[str, np.ndarray]:
        """Draws by name, elements of an array together: theta[1] ... theta[8] are "theta", of shape
        (draws, 8), numbered from 0 as in all of Python.

        resampled=True: to be used as they are. They are chosen by importance weight where the
        weights can be trusted, with repetitions, and are plain draws from q where they cannot.
        resampled=False: every draw once, to be used with log_weights.
        """
        return as_arrays(self.names, self.quantities[self._rows(resampled)])

    def unconstrained_draws(self, resampled: bool = True) -> np.ndarray:
        """The same draws on the unconstrained scale, a row each."""
        return self.theta[self._rows(resampled)]

    def __repr__(self) -> str:
        return f"<ravi.Answer: {self.family}, ELBO {self.elbo:.6g}, k-hat {self.khat_text}>"


@dataclass(frozen=True, repr=False, eq=False)
class Fit:
    """What a fit found. ``print(fit)`` shows the table, the verdict, and what to do next.

    verdict is accurate (use q), usable (use the weighted summary and draws), unreliable,
    not-converged or failed; trustworthy says that it is one of the first two.

    A Fit cannot be pickled: it holds memory of the engine. save(folder), to_netcdf() and draws() are
    the ways to keep one.
    """

    model: str
    dimension: int
    unconstrained_names: List[str]
    options: Dict[str, Any]  # as they were used, those left open filled in
    verdict: str
    meaning: str  # of the verdict, one sentence
    trustworthy: bool
    termination: str
    findings: List[Finding]
    iterations: int  # of every chain
    averaging_started_at: Optional[int]
    gradient_evaluations: int  # over all chains
    failed_draws: int
    rhat_max: float
    rhat_limit: float
    rhat_parameter: str
    error: float  # estimated distance of the average to the best q, in sds
    mcse_median: float
    mcse_max: float
    ess_min: float
    ess_limit: float
    tail_index_max: float
    tail_index_limit: float
    khat_threshold: float
    answer: Optional[Answer]  # the average of the iterates; None when the chains disagree or failed
    last_iterate: Optional[Answer]  # chain 1 where it stopped
    chains: List[Answer]  # each chain's own answer when they disagree, otherwise empty
    trace: Dict[str, np.ndarray]  # the state of things at every check
    search_elbo: List[Dict[str, Any]]  # ELBO along every search; each point spans "every" iterations
    chain_elbo: List[Dict[str, Any]]
    seconds: float
    cost: Dict[str, int]  # densities that every step computed
    timing: Dict[str, float]  # seconds of every part, which add up
    provenance: Dict[str, Any]  # version, date, platform, and hashes of program and data
    core: _ravi.Core

    @classmethod
    def from_fields(cls, fields: Dict[str, Any]) -> "Fit":
        """From what the extension hands over."""
        answers = {key: fields[key] for key in ("answer", "last_iterate")}
        return cls(
            **{
                **fields,
                **{key: None if a is None else Answer(**a) for key, a in answers.items()},
                "chains": [Answer(**a) for a in fields["chains"]],
                "findings": [Finding(**f) for f in fields["findings"]],
            }
        )

    def _common(self) -> Answer:
        if self.answer is not None:
            return self.answer
        where = "fit.chains has each chain's own" if self.chains else "fit.findings says why"
        raise UsageError(f"{self.model} has no common answer ({self.verdict}): {where}")

    @property
    def khat(self) -> float:
        """Pareto k-hat of q; NaN when there is no common answer."""
        return self.answer.khat if self.answer else float("nan")

    @property
    def elbo(self) -> float:
        """The ELBO of q; NaN when there is no common answer."""
        return self.answer.elbo if self.answer else float("nan")

    @property
    def weighted(self) -> bool:
        """Whether the importance weights can be trusted, so that the summary uses them."""
        return self.answer is not None and self.answer.weighted

    @property
    def modes(self) -> List[Dict[str, Any]]:
        """Of a posterior with several modes, each one's mass with its error, how many starts came to
        it, the chains around it, and its own summary; empty where there is one."""
        return self._common().modes

    @property
    def mean(self) -> np.ndarray:
        """Mean of q on the unconstrained scale, in the order of unconstrained_names."""
        return self._common().mean

    @property
    def cov(self) -> np.ndarray:
        """Covariance matrix of q on the unconstrained scale."""
        return self._common().cov

    @property
    def log_weights(self) -> np.ndarray:
        """Log weights of draws(resampled=False), normalized: exp() sums to one."""
        return self._common().log_weights

    @property
    def names(self) -> List[str]:
        """Names of the quantities, in the order of summary()."""
        return self._common().names

    def summary(self, weighted: bool = True) -> Union["pd.DataFrame", Table]:
        return self._common().summary(weighted)

    def draws(self, resampled: bool = True) -> Dict[str, np.ndarray]:
        return self._common().draws(resampled)

    def unconstrained_draws(self, resampled: bool = True) -> np.ndarray:
        return self._common().unconstrained_draws(resampled)

    summary.__doc__ = Answer.summary.__doc__
    draws.__doc__ = Answer.draws.__doc__
    unconstrained_draws.__doc__ = Answer.unconstrained_draws.__doc__

    def plot(self, parameters: Optional[Sequence[str]] = None) -> np.ndarray:
        """Draws the marginal distributions of some quantities, the first ones unless given, and the
        ELBO by iteration, with matplotlib; returns its axes: ``axes[0].figure.savefig("fit.png")``.
        """
        from ravi.plot import plot

        return plot(self, parameters)

    def to_json(self, path: Optional[Path] = None) -> str:
        """fit.json, as the program writes it; to a file too when a path is given."""
        if path is not None:
            self.core.write_json(os.fspath(path))
        return self.core.json()

    def report(self, path: Path) -> None:
        """Writes the report, one page of HTML to open in a browser."""
        self.core.write_report(os.fspath(path))

    def to_netcdf(self, path: Path) -> None:
        """Writes draws, weights and trace as ArviZ and xarray read them."""
        self.core.write_netcdf(os.fspath(path))

    def save(self, folder: Path, overwrite: bool = False) -> List[str]:
        """Writes all that the program writes with --output, draws.csv among it, and returns the
        names of the files. An earlier fit there is replaced only when overwrite is true."""
        return self.core.write_outputs(os.fspath(folder), overwrite)

    def __str__(self) -> str:
        return self.core.text(shutil.get_terminal_size((100, 24)).columns, 24).rstrip("\n")

    def __repr__(self) -> str:
        khat = f", k-hat {self.answer.khat_text}" if self.answer else ""
        return f"<ravi.Fit of {self.model}: {self.verdict}{khat}, {self.iterations} iterations>"

    def _repr_html_(self) -> str:
        from ravi.html import fit_html

        return fit_html(self)

    def __reduce__(self) -> Any:
        raise TypeError(
            "a ravi.Fit cannot be pickled: keep fit.save(folder), fit.to_json() or fit.draws() instead"
        )
