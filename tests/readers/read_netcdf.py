"""Opens every group of a fit.nc with xarray and compares it with the fit.json and CSV files beside it.

Usage: python3 read_netcdf.py FOLDER
"""
import json
import os
import sys

import netCDF4
import numpy as np
import xarray

folder = sys.argv[1]
path = os.path.join(folder, "fit.nc")
with open(os.path.join(folder, "fit.json")) as file:
    fit = json.load(file)
with netCDF4.Dataset(path) as file:
    assert file.inference_library == "ravi" and file.verdict == fit["verdict"]
    assert file.findings.split() == [f["code"] for f in fit["findings"]]
    assert file.created_at == fit["provenance"]["created_at"]
    groups = {name: xarray.load_dataset(path, group=name) for name in file.groups}


def elements(variable):
    """The quantities of a variable by ravi's names, each with dimensions chain and draw."""
    name = variable.attrs.get("quantity", variable.name)
    for index in np.ndindex(variable.shape[2:]):
        label = "[" + ",".join(str(i + 1) for i in index) + "]" if index else ""
        yield name + label, variable[(...,) + index] if index else variable


def quantities(group):
    skipped = {"lp", "log_q", "log_proposal", "log_weight", "importance_draw", "mode_of_draw"}
    return {name: values for variable in group.data_vars.values() if variable.name not in skipped
            for name, values in elements(variable)}


def read_csv(name):
    """Column names in brackets, and the draws: the first row is their means."""
    with open(os.path.join(folder, name)) as file:
        rows = [line.strip().split(",") for line in file if not line.startswith("#")]
    names = [head.replace(".", "[", 1).replace(".", ",") + "]" if "." in head else head
             for head in rows[0]]
    return dict(zip(names, np.array(rows[2:], dtype=float).T))


def sd_of(summary):
    """An sd that is not to be trusted is missing: then that of a normal with these quantiles."""
    if summary["sd"] is not None:
        return summary["sd"]
    return (summary["q95"] - summary["q5"]) / 3.29


def check_means(found, summaries, what):
    """Sums of S numbers in two orders differ by less than S roundings of the largest number. What q
    knows of a coordinate takes the place of what its draws happen to be: then a mean differs from
    theirs by their error, at most five of the standard ones."""
    assert set(found) == {s["name"] for s in summaries}, what
    for s in summaries:
        slack = 1e5 * np.finfo(float).eps * (abs(s["mean"]) + 10 * sd_of(s)) + 5 * s["mcse"]
        assert abs(float(found[s["name"]]) - s["mean"]) <= slack, (what, s, found[s["name"]])
    print(f"{what}: {len(summaries)} means agree")


def check_same(group, chain, csv):
    columns = read_csv(csv)
    found = quantities(group)
    methods = ["lp__", "log_p__", "log_g__"] + ["mode__"] * (len(fit.get("modes", [])) > 1)
    assert list(columns)[:len(methods)] == methods and set(columns) - set(found) == set(methods), csv
    for name, values in found.items():
        assert np.array_equal(values.isel(chain=chain).values, columns[name], equal_nan=True), name
    return columns


posterior, trace = groups["posterior"], groups["optimization"]
corrected = "variational" in groups
assert corrected == any(a["weighted"] for a in fit["chains"] or [fit])
of_q = groups["variational" if corrected else "posterior"]
stats = groups["sample_stats_variational" if corrected else "sample_stats"]
for name in set(groups) - {"optimization"}:
    for dimension in groups[name].dims:
        coordinate = groups[name].coords[dimension].values
        assert np.array_equal(coordinate, np.arange(len(coordinate))), (name, dimension)
assert np.allclose(np.exp(stats.log_weight).sum("draw"), 1)
assert trace.sizes.get("check", 0) == len(fit["trace"])
for key in fit["trace"][0] if fit["trace"] else []:
    expected = np.array([np.nan if c[key] is None else float(c[key]) for c in fit["trace"]])
    assert np.array_equal(trace[key].values, expected, equal_nan=True), key
for key in ("chain_elbo", "search_elbo"):
    assert (key in trace) == any(expected["elbo"] for expected in fit[key]), key
    for row, expected in zip(trace[key].values if key in trace else [], fit[key]):
        assert np.array_equal(row[~np.isnan(row)], [x for x in expected["elbo"] if x is not None])

# What ArviZ takes for the posterior is what the table says: draws chosen by weight scatter around
# its means like as many independent ones, beyond five standard errors once in a million.
for j, answer in enumerate(fit["chains"] or [fit]):
    found = quantities(posterior)
    slack = 5 / np.sqrt(posterior.sizes["draw"]) if answer["weighted"] else 1e-9
    for s in answer["parameters"]:
        mean = float(found[s["name"]].isel(chain=j).mean())
        assert abs(mean - s["mean"]) <= slack * sd_of(s), (s, mean)
    means = {name: values.isel(chain=j).mean() for name, values in quantities(of_q).items()}
    check_means(means, answer["unweighted_parameters"], f"draws of q, chain {j}")

if fit["chains"]:
    assert "importance" not in groups
    for j, chain in enumerate(fit["chains"]):
        check_same(posterior, j, f"draws_chain_{j + 1}.csv")
        assert posterior.attrs["mode_of_chain"][j] == chain["mode"]["number"]
else:
    check_same(posterior, 0, "draws.csv")
    columns = check_same(of_q, 0, "draws_variational.csv" if corrected else "draws.csv")
    assert np.array_equal(stats.lp.values[0], columns["log_p__"])
    assert np.array_equal(stats.log_q.values[0], columns["log_g__"])

if fit["weighted"]:
    importance = groups["importance"]
    assert importance.sizes["draw"] == fit["draws_kept"]
    weights = np.exp(importance.log_weight)
    assert abs(float(weights.sum()) - 1) < 1e-9
    missing = len(fit["parameters"]) * fit["draws_kept"] > 2**23
    assert missing == ("quantities_missing" in importance.attrs)
    if not missing:
        means = {name: values.weighted(weights).mean(("chain", "draw"))
                 for name, values in quantities(importance).items()}
        check_means(means, fit["parameters"], "importance")
        chosen = groups["sample_stats"].importance_draw.values[0]
        for name, values in quantities(posterior).items():
            expected = quantities(importance)[name].values[0, chosen]
            assert np.array_equal(values.values[0], expected, equal_nan=True), name
