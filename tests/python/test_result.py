"""What a Fit holds, and how it is shown: numbers, tables, draws, HTML, pictures."""

import copy
import json
import pickle
import re
import sys
import typing

import numpy as np
import pytest
import ravi
from conftest import QUICK, normal
from ravi.names import as_arrays

INJECTION = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def bimodal():
    return ravi.fit("bimodal", method="paper", stop="fixed", max_iterations=2000)


def test_the_numbers_are_those_of_fit_json(eight_schools):
    fit, found = eight_schools, json.loads(eight_schools.to_json())
    assert fit.verdict == found["verdict"] and fit.termination == found["termination"]
    assert fit.iterations == found["iterations"]
    assert fit.gradient_evaluations == found["gradient_evaluations"]
    assert (fit.khat, fit.elbo) == (found["khat"], found["elbo"]["value"])
    assert (fit.rhat_max, fit.rhat_parameter) == (found["rhat"]["max"], found["rhat"]["parameter"])
    assert {k: v for k, v in fit.options.items() if k != "threads"} == found["options"]
    np.testing.assert_array_equal(fit.mean, found["variational"]["mean"])
    np.testing.assert_array_equal(fit.cov, found["variational"]["cov"])
    assert [f.code for f in fit.findings] == [f["code"] for f in found["findings"]]
    for finding, record in zip(fit.findings, found["findings"]):
        for key in ("severity", "message", "advice", "observed", "limit", "parameter"):
            assert getattr(finding, key) == record[key]


def has_type(value, hint):
    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    if hint is typing.Any:
        return True
    if origin is typing.Union:
        return any(has_type(value, other) for other in inside)
    if origin is list:
        return type(value) is list and all(has_type(x, inside[0]) for x in value)
    if origin is dict:
        return type(value) is dict and all(
            has_type(key, inside[0]) and has_type(x, inside[1]) for key, x in value.items()
        )
    return type(value) is hint  # a whole number is no float


# That there are these fields and no others, their making tells: from the list in output/fields.hpp.
def test_every_field_has_the_type_that_its_hint_says(eight_schools, bimodal):
    for fit in (eight_schools, bimodal):
        answers = [a for a in (fit.answer, fit.last_iterate, *fit.chains) if a is not None]
        for record in (fit, *answers, *fit.findings):
            for name, hint in typing.get_type_hints(type(record)).items():
                value = getattr(record, name)
                assert has_type(value, hint), f"{name} is {value!r}, which is no {hint}"


def test_it_says_where_it_comes_from(eight_schools):
    assert eight_schools.provenance == json.loads(eight_schools.to_json())["provenance"]
    assert eight_schools.provenance["interface"] == "python"
    fit = ravi.fit("gaussian", {"P": 2})
    assert len(fit.provenance["data"]["hash"]) == 32 and fit.provenance["data"]["path"] is None
    assert fit.provenance["program"] == {"path": None, "hash": None}


def test_a_notebook_shows_the_digits_of_the_terminal(eight_schools):
    tau = next(line for line in str(eight_schools).splitlines() if line.startswith("  tau "))
    shown = "".join(f"<td>{cell}</td>" for cell in tau.split()[1:6])
    assert shown in re.sub(r"<td[^>]*>", "<td>", eight_schools._repr_html_())


def test_to_json_writes_the_same_text(eight_schools, tmp_path):
    path = tmp_path / "fit.json"
    assert eight_schools.to_json(path) == path.read_text()


def test_the_report_is_a_page(eight_schools, tmp_path):
    eight_schools.report(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text().lstrip().lower().startswith("<!doctype html>")


def test_the_files_of_the_program_can_be_written(eight_schools, tmp_path):
    eight_schools.to_netcdf(tmp_path / "fit.nc")
    files = eight_schools.save(tmp_path / "all")
    assert files[0] == "fit.json" and "draws.csv" in files
    assert sorted(files) == sorted(path.name for path in (tmp_path / "all").iterdir())
    assert (tmp_path / "fit.nc").read_bytes()[1:4] == b"HDF"
    with pytest.raises(ravi.UsageError):
        eight_schools.save(tmp_path / "all")
    eight_schools.save(tmp_path / "all", overwrite=True)


def test_a_fit_without_an_answer_has_no_draws_to_write(tmp_path):
    failed = ravi.fit(lambda theta: (np.nan, theta), dim=1)
    with pytest.raises(ravi.UsageError, match="no answer to draw from"):
        failed.to_netcdf(tmp_path / "fit.nc")
    assert failed.save(tmp_path) == ["fit.json", "report.html"]


def check_summary(summary, fit):
    found = json.loads(fit.to_json())["parameters"]
    assert list(summary.index) == [p["name"] for p in found]
    assert list(summary.columns) == [k for k in found[0] if k != "name"]
    for column in summary.columns:
        np.testing.assert_array_equal(summary[column], [p[column] for p in found])


def test_the_summary_is_a_data_frame(eight_schools):
    pandas = pytest.importorskip("pandas")
    summary = eight_schools.summary()
    assert isinstance(summary, pandas.DataFrame)
    check_summary(summary, eight_schools)
    assert summary.loc["tau", "mean"] == summary["mean"]["tau"]


def test_the_summary_is_a_table_without_pandas(eight_schools, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    summary = eight_schools.summary()
    assert isinstance(summary, ravi.Table)
    check_summary(summary, eight_schools)
    assert len(summary) == 18 and summary.row("mu")["mean"] == summary["mean"][0]
    lines = repr(summary).splitlines()
    assert len(lines) == 19 and len({len(line) for line in lines}) == 1
    assert "<td" in summary._repr_html_()


def test_weighted_draws_give_the_summary(eight_schools):
    draws = eight_schools.draws(resampled=False)
    weights = np.exp(eight_schools.log_weights)
    assert weights.sum() == pytest.approx(1)
    # The same sums in another order: rounding of thousands of terms.
    assert weights @ draws["mu"] == pytest.approx(eight_schools.summary()["mean"]["mu"], rel=1e-9)


def test_resampled_draws_give_the_summary_but_for_their_noise(eight_schools):
    summary, draws = eight_schools.summary(), eight_schools.draws()
    n = eight_schools.answer.draws_kept
    assert draws["theta"].shape == (n, 8) and draws["mu"].shape == (n,)
    for name, values in (("mu", draws["mu"]), ("theta[3]", draws["theta"][:, 2])):
        # Resampling adds sd / sqrt(n) of noise; four of these.
        assert abs(values.mean() - summary["mean"][name]) < 4 * summary["sd"][name] / n**0.5


def test_draws_without_trustworthy_weights_are_plain_ones():
    fit = ravi.fit("cauchy")
    assert fit.verdict == "unreliable"
    if not fit.weighted:
        assert len(fit.unconstrained_draws()) == fit.answer.plain
        np.testing.assert_array_equal(fit.unconstrained_draws(), fit.answer.theta[: fit.answer.plain])
    assert len(fit.unconstrained_draws(resampled=False)) == fit.answer.draws_kept


def test_arrays_are_read_only_views_that_outlive_the_fit():
    fit = ravi.fit(normal, dim=2, **QUICK)
    mean, theta = fit.mean, fit.answer.theta
    expected = mean.copy(), theta.copy()
    with pytest.raises(ValueError, match="read-only"):
        mean[0] = 1
    del fit
    np.testing.assert_array_equal(mean, expected[0])
    np.testing.assert_array_equal(theta, expected[1])


def test_a_mean_field_q_has_scales_and_a_diagonal_cov():
    fit = ravi.fit(normal, dim=2, **dict(QUICK, family="mean-field"))
    np.testing.assert_array_equal(fit.cov, np.diag(fit.answer.scale**2))


def test_disagreeing_chains_are_apart(bimodal):
    assert bimodal.verdict == "not-converged" and bimodal.answer is None
    assert np.isnan(bimodal.khat) and not bimodal.weighted
    means = [chain.mean[0] for chain in bimodal.chains]
    assert min(means) < -4 and max(means) > 4
    assert sum({c.mode: c.mode_weight for c in bimodal.chains}.values()) == pytest.approx(1)
    for use in (bimodal.summary, bimodal.draws, bimodal.plot, lambda: bimodal.mean):
        with pytest.raises(ravi.UsageError, match="fit.chains has each chain's own"):
            use()
    assert "chains-disagree" in bimodal._repr_html_()
    assert len(bimodal.chains[0].draws()["theta"]) > 0


def test_several_modes_are_one_answer():
    fit = ravi.fit("bimodal")
    assert fit.verdict == "accurate" and fit.chains == []
    first, second = fit.modes
    assert first["mass"] + second["mass"] == pytest.approx(1)
    assert sorted(first["chains"] + second["chains"]) == [1, 2, 3, 4]
    assert sorted(np.sign(m["parameters"]["mean"][0]) for m in fit.modes) == [-1, 1]
    # Every draw is in the mode on its side.
    mode = fit.answer.share_of_mode.argmax(axis=1)
    sign = np.sign([m["parameters"]["mean"][0] for m in fit.modes])
    weighty = fit.answer.log_weights > -20
    np.testing.assert_array_equal(np.sign(fit.answer.theta[weighty, 0]), sign[mode][weighty])


def test_elements_of_arrays_are_put_together():
    values = np.arange(14.0).reshape(2, 7)
    names = ["x", "b[1]", "b[2]", "L[1,1]", "L[2,1]", "L[1,2]", "L[2,2]"]
    arrays = as_arrays(names, values)
    assert list(arrays) == ["x", "b", "L"]
    np.testing.assert_array_equal(arrays["b"], values[:, 1:3])
    np.testing.assert_array_equal(arrays["L"][0], [[3, 5], [4, 6]])
    # Not all of an array, an array and a number of one name, what is no index.
    for odd in (["c[2]", "c[3]"], ["c", "c[1]"], ["c[1]", "c[1,1]"], ["c[0]", "c[1]"], ["c[x]", "d]"]):
        assert list(as_arrays(odd, values[:, :2])) == odd


def test_it_says_what_it_is(eight_schools, bimodal):
    verdict = eight_schools.verdict
    assert repr(eight_schools).startswith(
        f"<ravi.Fit of eight-schools-noncentered: {verdict}, k-hat 0.")
    assert repr(bimodal).startswith("<ravi.Fit of bimodal: not-converged, ")
    assert f"verdict: {verdict}" in str(eight_schools) and "theta[8]" in str(eight_schools)
    assert repr(eight_schools.answer).startswith("<ravi.Answer: full-rank")


def test_html_shows_names_as_text():
    fit = ravi.fit(normal, dim=2, names=[INJECTION, "b"], **dict(QUICK, chains=1))
    fit.summary()
    html = fit._repr_html_()
    assert INJECTION not in html and "&lt;img src=x onerror=alert(1)&gt;" in html
    assert INJECTION not in ravi.Table([INJECTION], {INJECTION: np.ones(1)})._repr_html_()

    def f(theta):
        raise ArithmeticError(INJECTION)

    f.__name__ = INJECTION
    failed = ravi.fit(f, dim=1)
    assert INJECTION in str(failed) and INJECTION not in failed._repr_html_()


def test_a_fit_is_not_pickled(eight_schools):
    for attempt in (pickle.dumps, copy.deepcopy):
        with pytest.raises(TypeError, match="cannot be pickled: keep fit.save"):
            attempt(eight_schools)


def test_plot_draws_marginals_and_the_elbo(eight_schools):
    pytest.importorskip("matplotlib").use("Agg")
    axes = eight_schools.plot(["mu", "tau"])
    assert [a.get_title() for a in axes] == ["mu", "tau", "ELBO by iteration"]
    assert all(a.has_data() for a in axes)
    fit = ravi.fit(normal, dim=2, names=["$x$", "b"], **QUICK)
    fit.plot()[0].figure.savefig("/dev/null", format="png")
    with pytest.raises(ravi.UsageError, match="no quantity is called 'nu'"):
        eight_schools.plot(["nu"])


def test_plot_without_matplotlib_says_what_is_missing(eight_schools, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match="python3-matplotlib"):
        eight_schools.plot()


def test_a_notebook_shows_the_line_without_control_codes(monkeypatch, capsys):
    class Shell:
        kernel = object()

    class IPython:
        get_ipython = staticmethod(lambda: Shell())

    monkeypatch.setitem(sys.modules, "IPython", IPython)
    ravi.fit("funnel", **QUICK)
    shown = capsys.readouterr().err
    assert "\r" in shown and "searching" in shown and "\x1b" not in shown
