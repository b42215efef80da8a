// The ELBO of every search and every chain.
"use strict";

// Nats below the best, logarithmic beyond one: searches climb thousands, averages differ by tenths.
function elboFigure(section, spec) {
  const traces = spec.traces.map(([every, elbo]) =>
    elbo.map((value, i) => [Math.min((i + 1) * every, spec.last || Infinity), value]).filter(d => finite(d[1])));
  if (!traces.some(points => points.length > 1)) return;
  const values = traces.flat().map(d => d[1]);
  const last = d3.max(traces.flat(), d => d[0]);
  const best = d3.max(values), lowest = d3.min(values) - best;
  const series = traces.map((points, i) => ({
    label: `${spec.each} ${i + 1}`, color: seriesColor(i), dash: seriesDash(i), thin: true, dots: spec.dots,
    points: points.map(([x, value]) => [x, value - best])
  })).filter(line => line.points.length > 0);
  const ticks = [0, ...[0.5, 1, 3, 10, 30, 100, 300, 1e3, 1e4, 1e5, 1e6, 1e8, 1e10, 1e13].map(t => -t)]
    .filter((t, i, all) => t >= lowest && (lowest > -200 || ![-0.5, -3, -30, -300].includes(t)));
  addFigure(section, {
    id: spec.id, title: spec.title, caption: spec.caption,
    summary: `The best value is ${shortNumber(best, 5)}.`,
    draw: (svg, width) => lineChart(svg, width, {
      series, left: 64,
      x: {label: spec.xLabel, name: spec.xName,
          scale: d3.scaleLinear().domain([0, last]), count: last, format: grouped},
      y: {label: `ELBO, nats below the best (${shortNumber(best, 5)})`, ticks,
          scale: d3.scaleSymlog().constant(1).domain([Math.min(lowest, -0.5), 0])},
      moments: spec.moments, value: v => shortNumber(v + best, 6)
    })
  });
}

function elboFigures(section, data) {
  elboFigure(section, {
    id: "elbo-searches", title: "ELBO of the searches", traces: data.search_elbo,
    each: "start", xLabel: "step of the search", xName: "step", dots: "last",
    caption: "Each line is a search from its own start, the dot where it ended. Searches that end at the same " +
      "height, but for noise, found the same optimum or equally good ones; one that ends lower found a worse one. " +
      "Starts from which the way uphill led to an optimum that was known have no line."
  });
  const moments = [];
  if (data.averaging_started_at >= 0) {
    moments.push({x: data.averaging_started_at, label: "averaging starts"});
    moments.push({x: data.iterations, label: "stops", last: true});
  }
  elboFigure(section, {
    id: "elbo-chains", title: "ELBO of the chains", traces: data.chain_elbo, last: data.iterations,
    each: "chain", xLabel: "iteration", xName: "iteration", moments,
    caption: "A chain that has settled varies about one level; a line that still climbs has not. The " +
      "average is of the iterates between the marks, not of these values. Estimates from few draws are noisy."
  });
}
