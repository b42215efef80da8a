"""What a Python function costs in a fit beyond its own time, per call (bar: below 20 us)."""

import time

import numpy as np

import ravi

CALLS = 100_000


def density(theta):
    return -0.5 * (theta @ theta), -theta


def own_time(f, theta):
    """Microseconds per call from Python, the best of five."""
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        for _ in range(CALLS // 10):
            f(theta)
        best = min(best, (time.perf_counter() - start) / (CALLS // 10))
    return 1e6 * best


def time_in_fit(f, dim, draws, batched):
    """Microseconds per call in a run of one chain: the difference of a long and a short one, which
    leaves out all but the iterations. Those contain the work of the optimizer and of q, so that it
    is an upper bound."""
    seconds = []
    iterations = [CALLS // draws // 10, CALLS // draws]
    for count in iterations:
        best = float("inf")
        for _ in range(3):
            start = time.perf_counter()
            ravi.fit(f, dim=dim, batched=batched, method="paper", stop="fixed", family="mean-field",
                     chains=1, draws=draws, max_iterations=count, psis_draws=100, threads=1)
            best = min(best, time.perf_counter() - start)
        seconds.append(best)
    calls = (iterations[1] - iterations[0]) * (1 if batched else draws)
    return 1e6 * (seconds[1] - seconds[0]) / calls


def main():
    print("       P  draws per call  own us  in a fit us  over its own us")
    for dim in (1, 10, 100, 1000):
        own = own_time(density, np.ones(dim))
        inside = time_in_fit(density, dim, draws=10, batched=False)
        print(f"{dim:8}  {1:14}  {own:6.2f}  {inside:11.2f}  {inside - own:15.2f}")

    def many(theta):
        return -0.5 * np.einsum("ij,ij->i", theta, theta), -theta

    for dim in (1, 10, 100):
        own = own_time(many, np.ones((10, dim)))
        inside = time_in_fit(many, dim, draws=10, batched=True)
        print(f"{dim:8}  {10:14}  {own:6.2f}  {inside:11.2f}  {inside - own:15.2f}")


if __name__ == "__main__":
    main()
