"""Wrong requests: each is a message that names what is wrong and what would be right."""

import resource
import subprocess
import sys

import numpy as np
import pytest
import ravi
from conftest import QUICK, normal


def refusal(*arguments, **options):
    with pytest.raises(ravi.UsageError) as caught:
        ravi.fit(*arguments, **options)
    assert isinstance(caught.value, ValueError) and isinstance(caught.value, ravi.Error)
    return str(caught.value)


@pytest.mark.parametrize(
    "options, message",
    [
        (dict(stepsize=1), "no option is called 'stepsize'; did you mean 'step_size'?"),
        (dict(bached=True), "did you mean 'batched'?"),
        (dict(chains="four"), "chains expects a whole number, got 'four'"),
        (dict(chains=2.5), "chains expects a whole number, got '2.5'"),
        (dict(chains=True), "chains expects a whole number, got 'True'"),
        (dict(step_size=[1]), "step_size expects a number, got '[1]'"),
        (dict(seed=-1), "seed expects a whole number from 0, got '-1'"),
        (dict(chains=-1, psis_draws=1), "chains = -1, but it must lie in [0, inf)"),
        (dict(family="full"), "the choices are: "),
        (dict(dim=2), "dim is for a function"),
        (dict(reference="nowhere.json"), "nowhere.json"),
    ],
)
def test_a_wrong_option_is_named(options, message):
    assert message in refusal("eight-schools-noncentered", **options)


def test_every_option_of_the_program_is_explained():
    for name in ("family", "step_size", "threads", "eta", "rmsprop"):
        assert name in ravi.fit.__doc__


def test_options_left_open_and_whole_floats_and_numpy_numbers_are_fine():
    fit = ravi.fit(normal, dim=2, **dict(QUICK, max_iterations=4e2), seed=np.int64(3),
                   step_size=np.float64(0.02), window=None)
    assert fit.options["max_iterations"] == 400 and fit.options["seed"] == 3
    assert fit.options["step_size"] == 0.02


def test_the_options_of_a_fit_repeat_it():
    fit = ravi.fit(normal, dim=2, seed=5, **QUICK)
    again = ravi.fit(normal, dim=2, **fit.options)
    np.testing.assert_array_equal(fit.mean, again.mean)


@pytest.mark.parametrize(
    "model, message",
    [
        ("funel", "no model is called 'funel'; did you mean 'funnel'?"),
        ("linear-regression", "needs data"),
        ("nowhere.stan", "nowhere.stan"),
        ("nowhere.so", "nowhere.so"),
        (None, "the model is a NoneType, but it must be"),
        (3, "the model is an int"),
    ],
)
def test_a_model_that_is_not_there_is_named(model, message):
    assert message in refusal(model)


@pytest.mark.parametrize(
    "data, message",
    [
        ({"N": 3, "P": 1, "X": np.ones((2, 1)), "y": np.ones(3)}, "X"),
        ({"y": "text"}, "y is a str, but data must be numbers"),
        ({"y": [[1], [1, 2]]}, "y is a list of other things, or of lists of different lengths"),
        ({"y": [1j]}, "y is a list of other things"),
        ({"N": 1, "P": 1, "X": [[np.nan]], "y": [1]}, "X[1,1] is nan"),
        ({3: 4}, "the name 3 is not a string"),
        ([1, 2], "data is a list, but it must be a dict"),
        ("nowhere.json", "nowhere.json"),
        ("nowhere.txt", ".json, .csv"),
        ("", "the path is empty"),
    ],
)
def test_wrong_data_are_named(data, message):
    assert message in refusal("linear-regression", data)


@pytest.mark.parametrize(
    "options, message",
    [
        ({}, "dim=, the length of theta, is needed"),
        (dict(dim=0), "dim = 0, but it must be a whole number from 1 to 2147483648"),
        (dict(dim=-1), "dim = -1"),
        (dict(dim=1.5), "dim = 1.5"),
        (dict(dim=float("nan")), "dim = nan"),
        (dict(dim="2"), "dim = '2'"),
        (dict(dim=True), "dim = True"),
        (dict(dim=10**12), "dim = 1000000000000, but it must be a whole number from 1 to 2147"),
        (dict(dim=2**63), "dim = 9223372036854775808"),
        (dict(dim=-(2**70)), "dim = -1180591620717411303424"),
        (dict(dim=2, names=["a", float("nan")]), "names: nan is a float, but it must be a string"),
        (dict(dim=2, names="ab"), "names is a str, but it must be a list of strings"),
        (dict(dim=2, names=["a", "b\ud800"]), "names: 'b\\ud800' is not valid Unicode"),
        (dict(dim=2, family="\udcff"), "family = '\\udcff' is not valid Unicode"),
        (dict(dim=2, reference="\udcff.json"), "reference '\\udcff.json' is not valid Unicode"),
        (dict(dim=2, names=["a"]), "names has 1 entries, but dim is 2"),
        (dict(names=["a", "a"]), "the name 'a' occurs twice"),
        (dict(dim=2, data={"y": 1}), "a function brings its own data"),
        (dict(dim=2, minibatch=5), "minibatch"),
    ],
)
def test_a_wrong_request_about_a_function_is_named(options, message):
    assert message in refusal(normal, **options)


@pytest.mark.parametrize("dim", [10**9, 2**31])
def test_more_parameters_than_memory_holds_are_refused_before_any_array_is_made(dim):
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for family in ("mean-field", "full-rank"):
        with pytest.raises(ravi.EnvironmentError, match="of memory"):
            ravi.fit(normal, dim=dim, family=family)
    # In kB: nothing of a size that has to do with dim.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak < 100_000


def test_names_may_be_an_array():
    fit = ravi.fit(normal, names=np.array(["a", "b"]), **QUICK)
    assert fit.names == ["a", "b"]


@pytest.mark.parametrize(
    "model, data, message",
    [
        ("\ud800.stan", None, "the model '\\ud800.stan' is not valid Unicode"),
        ("gaussian", "\ud800.json", "data: the path '\\ud800.json' is not valid Unicode"),
        ("gaussian", {"\ud800": 1}, "data: the name '\\ud800' is not valid Unicode"),
        ("bimodal", {"separatoin": 1}, "did you mean 'separation'?"),
    ],
)
def test_wrong_names_are_named(model, data, message):
    assert message in refusal(model, data)


def test_data_that_a_program_does_not_read_are_a_warning(tmp_path):
    program = tmp_path / "reads.stan"
    program.write_text("data { real y; }\nparameters { real mu; }\nmodel { y ~ normal(mu, 1); }\n")
    with pytest.warns(RuntimeWarning, match="nothing reads them .z."):
        fit = ravi.fit(program, {"y": 1.0, "z": 2}, **QUICK)
    assert [f.code for f in fit.findings if f.severity == "warning"] == ["data-unread"]


def test_a_stan_program_that_does_not_compile_names_its_line(tmp_path):
    program = tmp_path / "wrong.stan"
    program.write_text("parameters {\n  real x\n}\nmodel {}\n")
    with pytest.raises(ravi.Error, match="wrong.stan:[23]"):
        ravi.fit(program)


def test_an_output_that_cannot_be_written_is_an_environment_error(eight_schools):
    with pytest.raises(ravi.EnvironmentError) as caught:
        eight_schools.to_json("/proc/nowhere/fit.json")
    assert isinstance(caught.value, RuntimeError)


def run(code, **options):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, **options)


def test_nothing_is_printed_unless_asked_for():
    # Longer than the second in which nothing is said.
    code = "import ravi; ravi.fit('funnel', method='paper', stop='fixed', max_iterations=600_000{})"
    silent = run(code.format(""))
    assert silent.returncode == 0 and silent.stdout + silent.stderr == ""
    shown = run(code.format(", progress=True"))
    assert " iterations " in shown.stderr and "\x1b" not in shown.stderr and shown.stdout == ""


def test_a_traceback_of_a_script_names_the_users_line():
    code = "import ravi\ndef f(theta):\n    return theta[5], theta\nravi.fit(f, dim=2)"
    done = run(code)
    assert done.returncode == 1
    assert "IndexError: index 5 is out of bounds" in done.stderr and "line 3, in f" in done.stderr
