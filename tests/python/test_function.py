"""A Python function as a model: batches, failures, exceptions, wrong shapes, the interpreter's lock."""

import os
import runpy
import threading
import traceback

import numpy as np
import pytest
import ravi
from conftest import QUICK, normal, normals, without_timing
from ravi.callables import takes_a_matrix


def test_the_answer_is_the_posterior():
    fit = ravi.fit(normal, dim=3, names=["a", "b", "c"])
    assert fit.verdict == "accurate" and fit.trustworthy
    assert fit.unconstrained_names == fit.names == ["a", "b", "c"]
    # The target is Gaussian, where the search is exact but for rounding.
    np.testing.assert_allclose(fit.mean, [1, 2, 3], atol=1e-6)
    np.testing.assert_allclose(fit.cov, 4 * np.eye(3), atol=1e-5)


def test_batches_and_single_draws_give_the_same_bits():
    one = ravi.fit(normal, dim=3, **QUICK)
    many = ravi.fit(normals, dim=3, **QUICK)
    a, b = without_timing(one.to_json()), without_timing(many.to_json())
    assert (a.pop("model"), b.pop("model")) == ("normal", "normals")
    assert a == b
    np.testing.assert_array_equal(one.answer.theta, many.answer.theta)


@pytest.mark.parametrize("dim", [1, 2, 3, 4])
def test_a_function_of_matrices_is_told_from_one_of_vectors(dim):
    assert not takes_a_matrix(normal, dim)
    assert takes_a_matrix(normals, dim)
    assert takes_a_matrix(lambda t: (-0.5 * np.sum(t * t, axis=-1), -t), dim)
    assert not takes_a_matrix(lambda t: (-0.5 * np.sum(t * t), -t), dim)
    # Right shapes, wrong values: the first row is taken for the first element.
    assert not takes_a_matrix(lambda t: (-(t[0] ** 2).sum() * np.ones(len(t)), -t), dim)


def test_batched_can_be_said():
    shapes = set()

    def f(theta):
        shapes.add(theta.ndim)
        return -0.5 * np.sum(theta * theta, axis=-1), -theta

    ravi.fit(f, dim=2, batched=False, **QUICK)
    assert shapes == {1}
    shapes.clear()
    ravi.fit(f, dim=2, batched=True, **QUICK)
    assert shapes == {2}


def test_the_function_may_keep_and_change_theta():
    kept = []

    def f(theta):
        log_density, gradient = normal(theta)
        if len(kept) < 100:
            kept.append((theta, theta.copy()))
        else:
            theta[:] = 0
        return log_density, gradient

    changed = without_timing(ravi.fit(f, dim=2, batched=False, **QUICK).to_json())
    expected = without_timing(ravi.fit(normal, dim=2, batched=False, **QUICK).to_json())
    del changed["model"], expected["model"]
    assert changed == expected
    assert all((theta == copy).all() for theta, copy in kept)


@pytest.mark.parametrize("batched", [False, True])
@pytest.mark.parametrize(
    "failure", [None, ZeroDivisionError("a = 0"), np.linalg.LinAlgError("singular")]
)
def test_a_draw_that_cannot_be_computed_is_a_failed_draw(failure, batched):
    def f(theta):
        bad = theta[..., 0] > 3.5
        log_density, gradient = (normals if batched else normal)(theta)
        if failure is not None and np.any(bad):
            raise failure
        return np.where(bad, np.nan, log_density), gradient

    fit = ravi.fit(f, dim=2, batched=batched, **QUICK)
    assert fit.failed_draws > 0
    assert any(f.code.endswith("draws-failed") for f in fit.findings)
    # Failed draws are the same ones, whichever way they fail.
    reference = ravi.fit(
        lambda t: (np.where(t[..., 0] > 3.5, np.nan, normals(t)[0]), normals(t)[1]),
        dim=2, batched=True, **QUICK,
    )
    assert fit.failed_draws == reference.failed_draws


def test_a_function_that_never_works_fails_with_its_own_words():
    def f(theta):
        raise FloatingPointError("not positive\ndefinite")

    fit = ravi.fit(f, dim=2)
    assert fit.verdict == "failed" and fit.answer is None
    words = "the model says: FloatingPointError: not positive definite"
    assert any(finding.message.endswith(words) for finding in fit.findings)
    with pytest.raises(ravi.UsageError, match="f has no common answer .failed.: fit.findings"):
        fit.summary()


@pytest.mark.parametrize("threads", [1, 3])
def test_an_exception_surfaces_as_it_was_raised(threads):
    error = KeyError("lost")
    calls = []

    def breaks(theta):
        calls.append(1)
        if len(calls) > 50:
            raise error
        return normal(theta)

    with pytest.raises(KeyError) as caught:
        ravi.fit(breaks, dim=2, batched=False, threads=threads)
    assert caught.value is error
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert frames[-1].name == "breaks" and frames[-1].line == "raise error"
    assert "fit" in [frame.name for frame in frames]


def test_nothing_runs_after_an_exception():
    calls = []

    def breaks(theta):
        calls.append(1)
        raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        ravi.fit(breaks, dim=2, threads=4)
    count = len(calls)
    threading.Event().wait(0.1)
    assert len(calls) == count


@pytest.mark.parametrize(
    "result, message",
    [
        (lambda t: -0.5 * t @ t, r"but it returned a numpy.float64"),
        (lambda t: (1.0, t, t), r"but it returned a tuple"),
        (lambda t: (t, t), r"its log density is of shape \(2,\) where one number is needed"),
        (lambda t: (1.0, t[:1]), r"its gradient is of shape \(1,\) where shape \(2,\) is needed"),
        (lambda t: (1.0, None), r"its gradient is"),
        (lambda t: ("one", t), r"its log density is"),
        (lambda t: ("1", t), r"its log density is of shape \(\) and type str"),
        (lambda t: (1.0, t + 1j), r"its gradient is of shape \(2,\) and type complex128"),
        (lambda t: (1.0, [1j, 0]), r"its gradient is of shape \(2,\) and type complex128"),
        (lambda t: (1j, t), r"its log density is of shape \(\) and type complex128"),
        (lambda t: (np.complex64(1), t), r"its log density is of shape \(\) and type complex64"),
        (lambda t: (1.0, t.astype("M8[s]")), r"its gradient is of shape \(2,\) and type datetime"),
        (lambda t: (1.0, [t, t]), r"its gradient is of shape \(2, 2\) where shape \(2,\)"),
        (lambda t: (1.0, [[1], [1, 2]]), r"its gradient is"),
        (lambda t: (1.0, [None, None]), r"its gradient is of shape \(2,\)"),
    ],
)
def test_a_result_of_the_wrong_shape_is_named(result, message):
    with pytest.raises(ravi.UsageError, match=message):
        ravi.fit(result, dim=2, batched=False)
    with pytest.raises(ravi.UsageError, match=message):
        ravi.fit(result, dim=2)
    with pytest.raises(ravi.UsageError, match=r"gradient is of shape \(1,\)"):
        ravi.fit(lambda t: (t[:, 0], t[:, 0]), dim=2, batched=True)


def test_one_parameter_may_come_as_plain_numbers():
    fit = ravi.fit(lambda t: (-0.5 * float(t[0]) ** 2, -float(t[0])), dim=1)
    assert fit.verdict == "accurate"


def test_lists_integers_and_float32_are_numbers_too():
    fit = ravi.fit(lambda t: (np.float32(0), [-int(x) for x in t]), dim=2, **QUICK)
    assert fit.dimension == 2


def test_other_python_threads_run_during_a_fit():
    ticks = []
    done = threading.Event()

    def tick():
        while not done.wait(0.001):
            ticks.append(1)

    thread = threading.Thread(target=tick)
    thread.start()
    before = len(ticks)
    ravi.fit("funnel", method="paper", stop="fixed", max_iterations=5_000, threads=1)
    during = len(ticks) - before
    done.set()
    thread.join()
    # The fit takes more than a tenth of a second; with the lock held there would be one at most.
    assert during > 10


def test_a_call_costs_less_than_20_microseconds_over_its_own_time():
    root = os.path.dirname(os.environ["RAVI_MODELS"])
    bench = runpy.run_path(os.path.join(root, "bench", "python_callable.py"))
    between, _ = bench["gaps"](10)
    assert np.median(between) < 20
