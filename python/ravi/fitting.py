"""fit(): a model and options in, a Fit out."""

from __future__ import annotations

import inspect
import operator
import os
import warnings
from typing import Any, Mapping, Optional, Sequence, Union

from ravi import _ravi
from ravi.callables import Density, takes_a_matrix
from ravi.data import Data, data_text
from ravi.errors import UsageError, a_type, valid_text
from ravi.progress import Display
from ravi.result import Fit

Model = Union[str, "os.PathLike[str]", Density]


def _as_text(value: Any) -> str:
    """An option's value as one would type it; a float that is whole counts as a whole number."""
    if isinstance(value, str):
        return value
    try:
        number = float(value)
    except (TypeError, ValueError):
        return str(value)
    if isinstance(value, bool):
        return str(value)  # is no number, and the message says so
    try:
        return str(operator.index(value))
    except TypeError:
        return str(int(number)) if number.is_integer() and abs(number) < 2**53 else repr(number)


def _dimension(dim: Any) -> int:
    try:
        dimension = operator.index(dim)
    except TypeError:
        dimension = -1
    if not 1 <= dimension <= _ravi.most_parameters or isinstance(dim, bool):
        raise UsageError(
            f"dim = {dim!r}, but it must be a whole number from 1 to {_ravi.most_parameters}"
        )
    return dimension


def _names(names: Optional[Sequence[str]]) -> Optional[list[str]]:
    if names is None:
        return None
    if isinstance(names, (str, bytes)):
        raise UsageError(f"names is {a_type(names)}, but it must be a list of strings")
    seen = set()
    for name in names:
        if not isinstance(name, str):
            raise UsageError(f"names: {name!r} is {a_type(name)}, but it must be a string")
        if valid_text(name, "names:") in seen:
            raise UsageError(f"the name {name!r} occurs twice in names")
        seen.add(name)
    return [str(name) for name in names]


def _as_options(options: Mapping[str, Any]) -> list[tuple[str, str]]:
    given = [(name, _as_text(value)) for name, value in options.items() if value is not None]
    for name, text in given:
        valid_text(name, "the option")
        valid_text(text, f"{name} =")
    return given


def _function_request(
    f: Density,
    data: Data,
    dim: Any,
    names: Optional[Sequence[str]],
    batched: Optional[bool],
    options: Sequence[tuple[str, str]],
    of_fit: Sequence[str],
) -> Mapping[str, Any]:
    if data is not None:
        raise UsageError("a function brings its own data: data is for models that have a name")
    texts = _names(names)
    if dim is None and texts is not None:
        dim = len(texts)
    if dim is None:
        raise UsageError(
            "how many parameters has the function? dim=, the length of theta, is needed"
        )
    dimension = _dimension(dim)
    if texts and len(texts) != dimension:
        raise UsageError(f"names has {len(texts)} entries, but dim is {dimension}")
    # Before the function is tried, with arrays of that size.
    _ravi.check(options=options, of_fit=of_fit, dimension=dimension)
    return {
        "name": valid_text(getattr(f, "__name__", type(f).__name__), "the function's name"),
        "data": "",
        "function": f,
        "dimension": dimension,
        "names": texts or [],
        "batched": takes_a_matrix(f, dimension) if batched is None else bool(batched),
    }


def _named_request(model: Any, data: Data, **of_function: Any) -> Mapping[str, Any]:
    if not isinstance(model, (str, os.PathLike)):
        raise UsageError(
            f"the model is {a_type(model)}, but it must be a built-in's name, the path of "
            "a .stan program or a .so library, or a function"
        )
    for name, value in of_function.items():
        if value is not None:
            raise UsageError(f"{name} is for a function, but the model is {os.fspath(model)!r}")
    return {
        "name": valid_text(os.fspath(model), "the model"),
        "data": data_text(data),
        "function": None,
        "dimension": 0,
        "names": [],
        "batched": False,
    }


def fit(
    model: Model,
    data: Data = None,
    *,
    dim: Optional[int] = None,
    names: Optional[Sequence[str]] = None,
    batched: Optional[bool] = None,
    reference: Union[None, str, "os.PathLike[str]"] = None,
    progress: Optional[bool] = None,
    **options: Any,
) -> Fit:
    """Fit a variational approximation to a posterior, and judge it.

    model: a built-in's name; the path of a .stan program or of a .so library of BridgeStan; or a
        function f(theta) -> (log_density, gradient), where theta is an array of dim numbers, any
        numbers, the log density may lack a constant, and the gradient has dim elements.
    data: of a named model, a dict of numbers and arrays, or the path of a .json or .csv file.
    dim: length of theta, for a function.
    names: of theta's elements, for a function; theta[1], theta[2], ... unless given.
    batched: whether the function takes a matrix with a draw in every row, and returns as many log
        densities and a matrix of gradients, which is much faster. Tried once unless given.
    reference: the path of posterior moments to compare with.
    progress: show a line while it runs; unless given, in a terminal and in a notebook only.

    Where the function returns what is not finite, or raises an ArithmeticError or a
    numpy.linalg.LinAlgError, the draw counts as failed. Any other exception ends the fit and is
    raised here. It is called on another thread than this one, and with threads > 1 on several at
    once; a function is given one thread unless told otherwise, because Python runs one at a time.

    Ctrl-C ends the fit early: what was found is returned, with the finding 'interrupted' and a
    RuntimeWarning. A second one raises KeyboardInterrupt.

    Raises ravi.UsageError for a wrong option or wrong data, and ravi.EnvironmentError where a
    program cannot be compiled.

    The options of the program, in brackets the symbol in the paper and the value unless given:

    """
    of_fit = [n for n in inspect.signature(fit).parameters if n not in ("model", "options")]
    if callable(model) and options.get("threads") is None:
        options["threads"] = 1
    given = _as_options(options)
    if callable(model):
        request = _function_request(model, data, dim, names, batched, given, of_fit)
    else:
        request = _named_request(model, data, dim=dim, names=names, batched=batched)
    display = Display(progress)
    fields = _ravi.fit(
        **request,
        reference="" if reference is None else valid_text(os.fspath(reference), "reference"),
        options=given,
        of_fit=of_fit,
        write=display.write,
        progress=display.progress,
        live=display.live,
        width=display.width,
    )
    result = Fit.from_fields(fields)
    for finding in result.findings:
        if finding.code in ("interrupted", "data-unread"):
            warnings.warn(finding.message, RuntimeWarning, stacklevel=2)
    return result


fit.__doc__ = (fit.__doc__ or "").rstrip() + "\n\n" + "".join(
    f"    {name}: {text}\n" for name, text in _ravi.options_help()
)
