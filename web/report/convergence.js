// What the checks saw as the fit went on: R-hat, error, MCSE, effective sample size.
"use strict";

function checkFigure(section, data, spec) {
  const points = data.trace.iteration.map((t, i) => [t, data.trace[spec.key][i]])
    .filter(d => finite(d[1]) && d[1] > 0);
  if (!points.length) return;
  const limit = finite(spec.limit) && spec.limit > 0 ? spec.limit : null;
  const values = points.map(d => d[1]).concat(limit === null ? [] : [limit]);
  const domain = [spec.floor || d3.min(values) / 1.3, d3.max(values) * 1.3];
  addFigure(section, {
    id: spec.id, title: spec.title, caption: spec.caption,
    summary: `It ended at ${shortNumber(points[points.length - 1][1])}` +
      (limit === null ? "." : `, the limit is ${shortNumber(limit)}.`),
    draw: (svg, width) => lineChart(svg, width, {
      series: [{label: spec.short, color: seriesColor(0), points, dots: points.length < 40}],
      x: {label: "iteration", name: "iteration", format: grouped,
          scale: d3.scaleLinear().domain([0, Math.max(data.iterations, d3.max(points, d => d[0]))])},
      y: {label: spec.yLabel, ticks: logTicks(domain), scale: d3.scaleLog().domain(domain)},
      limit: {value: limit, label: `limit ${shortNumber(limit)}`},
      moments: data.averaging_started_at > 0
        ? [{x: data.averaging_started_at, label: "averaging starts"}] : []
    })
  });
}

function convergenceFigures(section, data) {
  checkFigure(section, data, {
    id: "rhat", key: "rhat", title: "R-hat", short: "largest R-hat", yLabel: "largest R-hat", floor: 1,
    limit: data.limits.rhat,
    caption: "How far the chains are from one another, for the component where they are furthest. " +
      "Below the limit they agree as far as their noise lets one tell."
  });
  checkFigure(section, data, {
    id: "error", key: "error", title: "Error of the average", short: "error",
    yLabel: "distance to the best q, sds", limit: data.limits.error,
    caption: "Estimated from how much parts of the run differ, in standard deviations of q. The fit " +
      "may stop when it is below the limit (--tolerance)."
  });
  checkFigure(section, data, {
    id: "mcse", key: "mcse", title: "Monte Carlo error", short: "median MCSE", yLabel: "median MCSE",
    limit: data.limits.mcse,
    caption: "Standard error of the averaged parameters of q, for the median one. It falls with the " +
      "square root of the iterations once the chains have settled."
  });
  checkFigure(section, data, {
    id: "ess", key: "ess", title: "Effective sample size", short: "smallest ESS", yLabel: "smallest ESS",
    limit: data.limits.ess,
    caption: "How many independent iterates the average is worth, for its worst component. Below the " +
      "limit even the error estimates are not to be believed."
  });
}
