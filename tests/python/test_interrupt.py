"""Ctrl-C: the first keeps what was found, the second one ends it at once."""

import io
import signal
import threading
import time

import numpy as np
import pytest
import ravi
from conftest import Interrupter, normal

LONG = dict(method="paper", stop="fixed", max_iterations=100_000_000, psis_draws=1000)


class Screen(io.StringIO):
    """A terminal that says when the first line of progress is shown."""

    def __init__(self, event):
        super().__init__()
        self.event = event

    def isatty(self):
        return True

    def write(self, text):
        if "searching" in text or "averaging" in text:
            self.event.set()
        return super().write(text)


def check_interrupted(fit):
    assert fit.termination == "interrupted" and fit.verdict == "not-converged"
    assert "interrupted" in [f.code for f in fit.findings]
    assert "interrupted" in fit.to_json() and "interrupted" in str(fit)
    assert fit.iterations > 0


def test_a_built_in_model_keeps_what_was_found(monkeypatch):
    interrupter = Interrupter()
    monkeypatch.setattr("sys.stderr", Screen(interrupter.event))
    with pytest.warns(RuntimeWarning, match="stopped before it was done"):
        fit = ravi.fit("eight-schools-noncentered", progress=True, **LONG)
    interrupter.done()
    check_interrupted(fit)
    assert fit.last_iterate is not None and np.isfinite(fit.last_iterate.mean).all()


def test_an_interrupt_while_progress_is_written_keeps_what_was_found(monkeypatch):
    class Interrupted(Screen):
        def write(self, text):
            if "searching" in text and not self.event.is_set():
                self.event.set()
                raise KeyboardInterrupt
            return len(text)

    monkeypatch.setattr("sys.stderr", Interrupted(threading.Event()))
    with pytest.warns(RuntimeWarning, match="stopped before it was done"):
        check_interrupted(ravi.fit("eight-schools-noncentered", progress=True, **LONG))


def test_a_function_keeps_what_was_found():
    interrupter = Interrupter()
    calls = []

    def counted(theta):
        calls.append(1)
        if len(calls) == 10_000:
            interrupter.event.set()
        return normal(theta)

    with pytest.warns(RuntimeWarning):
        fit = ravi.fit(counted, dim=2, batched=False, **LONG)
    interrupter.done()
    check_interrupted(fit)


def test_the_second_one_raises_and_nothing_runs_on():
    interrupter = Interrupter(times=2)
    calls = []

    def slow(theta):
        calls.append(1)
        interrupter.event.set()
        time.sleep(0.01)  # scoring alone would take minutes
        return normal(theta)

    with pytest.raises(KeyboardInterrupt):
        ravi.fit(slow, dim=2, batched=False, **LONG)
    count = len(calls)
    interrupter.done()
    threading.Event().wait(0.1)
    assert len(calls) == count


def test_another_exception_of_a_signal_handler_ends_the_fit():
    def timeout(signum, frame):
        raise TimeoutError("enough")

    before = signal.signal(signal.SIGALRM, timeout)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(TimeoutError, match="enough"):
            ravi.fit("eight-schools-noncentered", **LONG)
    finally:
        signal.signal(signal.SIGALRM, before)


def test_fits_run_in_other_threads_than_the_main_one():
    fits = []
    threads = [
        threading.Thread(target=lambda: fits.append(ravi.fit(normal, dim=2))) for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [fit.verdict for fit in fits] == ["accurate"] * 2
