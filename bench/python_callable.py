"""What a Python function costs in a fit beyond its own time, per call (bar: below 20 us).

A batch of draws is a loop over calls, so the time from the end of one call to the beginning of the
next is what ravi adds: making the array, calling, reading the results. The median leaves out the
steps of the optimizer between batches. Reading the clock is counted, so that it is an upper bound.
"""

import time

import numpy as np

import ravi

DRAWS = 100  # calls per batch: 99 of 100 gaps are within one


def gaps(dim):
    """Microseconds between calls, and those of the calls themselves."""
    begun, ended = [], []
    now = time.perf_counter_ns

    def density(theta):
        begun.append(now())
        result = -0.5 * (theta @ theta), -theta
        ended.append(now())
        return result

    ravi.fit(density, dim=dim, batched=False, method="paper", stop="fixed", family="mean-field",
             chains=1, draws=DRAWS, max_iterations=300, psis_draws=100, progress=False)
    begin, end = np.array(begun), np.array(ended)
    return (begin[1:] - end[:-1]) / 1e3, (end - begin) / 1e3


def main():
    print("     P  its own time, us  over it, us: median   90 %")
    for dim in (1, 10, 100, 1000):
        between, own = gaps(dim)
        median, most = np.quantile(between, [0.5, 0.9])
        print(f"{dim:6}  {np.median(own):16.2f}  {median:19.2f}  {most:5.2f}")


if __name__ == "__main__":
    main()
