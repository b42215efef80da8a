// Lines over iterations, lags or values, with limits and moments marked.
"use strict";

// spec: series of { label, color, dash, thin, points: [[x, y], ...], dots: true or "last" }, x of { label, name,
// scale, count of ticks at most, format }, y of { label, scale, ticks }, limit of { value, label }, moments of { x, label }, height, legend.
function lineChart(svg, width, spec) {
  const legend = spec.series.length > 1 || spec.legend ? spec.series : [];
  const plot = frame(svg, width, spec.height || 260, {legend, left: spec.left || 56});
  const x = spec.x.scale.copy().range([0, plot.width]);
  const y = spec.y.scale.copy().range([plot.height, 0]);
  axes(plot, x, y, {
    xLabel: spec.x.label, xTicks: spec.x.count, xFormat: spec.x.format, yLabel: spec.y.label, yTicks: spec.y.ticks
  });
  const line = d3.line().defined(d => finite(d[1])).x(d => x(d[0])).y(d => y(d[1]));
  for (const s of spec.series) {
    plot.group.append("path").attr("class", `series mark ${s.thin ? "thin" : ""}`).attr("d", line(s.points))
      .style("stroke", s.color).attr("stroke-dasharray", s.dash || null);
    if (s.dots) {
      const dots = s.points.filter(d => finite(d[1]));
      plot.group.append("g").selectAll("circle").data(s.dots === "last" ? dots.slice(-1) : dots).join("circle")
        .attr("class", "mark").attr("cx", d => x(d[0])).attr("cy", d => y(d[1])).attr("r", 3)
        .style("fill", s.color);
    }
  }
  if (spec.limit && finite(spec.limit.value)) drawLimit(plot, y(spec.limit.value), spec.limit.label);
  for (const moment of spec.moments || []) drawMoment(plot, x(moment.x), moment);
  hover(svg, plot, targetsByX(spec, x, y));
  return plot;
}

// One target per value of x, with the values of all series there.
function targetsByX(spec, x, y) {
  const byX = new Map();
  for (const s of spec.series) {
    for (const [at, value] of s.points) {
      if (!finite(value)) continue;
      if (!byX.has(at)) byX.set(at, {x: x(at), y: y(value), title: `${spec.x.name} ${shortNumber(at, 6)}`, rows: []});
      byX.get(at).rows.push([s.label, (spec.value || shortNumber)(value), s.color]);
    }
  }
  return [...byX.entries()].sort((a, b) => a[0] - b[0]).map(entry => entry[1]);
}

// The label stands above the plot, where no line can cross it.
function drawLimit(plot, y, label) {
  plot.group.append("line").attr("class", "limit").attr("x2", plot.width).attr("y1", y).attr("y2", y);
  const text = plot.group.append("text").attr("class", "limit-label").attr("x", plot.width).attr("y", -11)
    .attr("text-anchor", "end").text(label);
  const end = plot.width - text.node().getComputedTextLength() - 6;
  plot.group.append("line").attr("class", "limit").attr("x1", end - 22).attr("x2", end).attr("y1", -15).attr("y2", -15);
}

function drawMoment(plot, x, {label, last}) {
  plot.group.append("line").attr("class", "moment").attr("x1", x).attr("x2", x).attr("y2", plot.height);
  const before = last || x > 0.6 * plot.width;
  plot.group.append("text").attr("class", "moment-label").attr("x", x + (before ? -5 : 5))
    .attr("y", last ? plot.height - 8 : plot.height - 22).attr("text-anchor", before ? "end" : "start").text(label);
}
