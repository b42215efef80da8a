"""What the tests of the Python package share: densities, the program, signals."""

import json
import os
import signal
import subprocess
import threading

import numpy as np
import pytest

# Enough iterations for an answer and a verdict, in a fraction of a second.
QUICK = dict(method="paper", stop="fixed", max_iterations=400, psis_draws=1000)


def normal(theta):
    """Independent normals with means 1, 2, ... and sd 2, one draw."""
    z = (theta - np.arange(1, len(theta) + 1)) / 2
    return -0.5 * np.sum(z * z), -z / 2


def normals(theta):
    """The same of a matrix of draws; sums of rows are taken in the order of sums of vectors."""
    z = (theta - np.arange(1, theta.shape[1] + 1)) / 2
    return -0.5 * np.sum(z * z, axis=1), -z / 2


def without_timing(text):
    found = json.loads(text)
    for key in ("timing", "memory_peak_mb", "provenance"):
        del found[key]
    return found


def run_program(*arguments):
    """fit.json as the program prints it."""
    program = os.environ["RAVI_PROGRAM"]
    done = subprocess.run([program, "fit", *arguments, "--json", "--quiet"], capture_output=True)
    assert done.returncode in (0, 1), done.stderr.decode()
    return without_timing(done.stdout.decode())


class Interrupter:
    """Sends Ctrl-C to this process, from another thread, when an event happens.

    Two signals of which the first was not noticed yet are one, so each waits for that."""

    def __init__(self, times=1):
        self.event = threading.Event()
        self._noticed = threading.Event()
        self._before = signal.signal(signal.SIGINT, self._notice)
        self._thread = threading.Thread(target=self._run, args=(times,), daemon=True)
        self._thread.start()

    def _notice(self, signum, frame):
        self._noticed.set()
        signal.default_int_handler(signum, frame)

    def _run(self, times):
        self.event.wait()
        for _ in range(times):
            self._noticed.clear()
            os.kill(os.getpid(), signal.SIGINT)
            self._noticed.wait()

    def done(self):
        self.event.set()
        self._thread.join()
        signal.signal(signal.SIGINT, self._before)


@pytest.fixture
def models():
    return os.environ["RAVI_MODELS"]


@pytest.fixture(scope="session")
def eight_schools():
    import ravi

    return ravi.fit("eight-schools-noncentered")
