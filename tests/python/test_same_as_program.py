"""The same seed gives the same bits as the program, whatever the model and the threads."""

import json
import os

import numpy as np
import pytest
import ravi
from conftest import QUICK, normal, run_program, without_timing


def flags(options):
    return [x for k, v in options.items() for x in ("--" + k.replace("_", "-"), str(v))]


def test_built_in_model_with_defaults(eight_schools):
    assert without_timing(eight_schools.to_json()) == run_program("eight-schools-noncentered")


@pytest.mark.parametrize("threads", [1, 3])
def test_built_in_model_with_options_and_any_threads(threads):
    options = dict(QUICK, family="mean-field", seed=7, step_size=0.02)
    fit = ravi.fit("funnel", threads=threads, **options)
    assert without_timing(fit.to_json()) == run_program("funnel", *flags(options))


def test_data_as_a_file_and_as_arrays(tmp_path):
    rng = np.random.default_rng(1)
    data = {"N": 30, "P": 2, "sigma": 0.5, "X": rng.normal(size=(30, 2)), "y": rng.normal(size=30)}
    path = tmp_path / "data.json"
    path.write_text(json.dumps({k: np.asarray(v).tolist() for k, v in data.items()}))
    expected = run_program("linear-regression", "--data", str(path), *flags(QUICK))
    for form in (data, path, str(path), {**data, "X": data["X"].tolist()}):
        fit = ravi.fit("linear-regression", form, **QUICK)
        assert without_timing(fit.to_json()) == expected


def test_mini_batches():
    data = {"N": 40, "P": 1, "X": np.linspace(-1, 1, 40)[:, None], "y": np.arange(40) % 2}
    fit = ravi.fit("logistic-regression", data, minibatch=10, optimizer="adam", **QUICK)
    assert fit.options["minibatch"] == 10 and fit.gradient_evaluations > 0


def test_stan_program_and_its_library(models):
    program = os.path.join(models, "eight_schools_noncentered", "eight_schools_noncentered.stan")
    path = os.path.join(os.path.dirname(program), "data.json")
    expected = run_program(program, "--data", path)
    with open(path) as file:
        arrays = {k: np.asarray(v) for k, v in json.load(file).items()}
    fit = ravi.fit(program, arrays)
    assert without_timing(fit.to_json()) == expected
    assert fit.draws()["theta"].shape[1] == 8
    assert [n for n in fit.names if n.startswith("theta[")][0] == "theta[1]"


def test_fits_of_a_function_do_not_depend_on_threads():
    fits = [ravi.fit(normal, dim=3, threads=n, batched=False) for n in (1, 4)]
    assert without_timing(fits[0].to_json()) == without_timing(fits[1].to_json())


def test_reference_is_compared_with(tmp_path):
    text = '{"parameters": ["theta[1]", "theta[2]"], "mean": [1, 2], "cov": [[4, 0], [0, 4]]}'
    path = tmp_path / "reference.json"
    path.write_text(text)
    fit = ravi.fit(normal, dim=2, reference=path)
    # q is exact but for rounding: the target is Gaussian and of full rank.
    assert fit.answer.reference["d_mu"] < 1e-6
