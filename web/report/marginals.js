// Marginal densities of one parameter: q, weighted, and the reference where there is one.
"use strict";

const seriesDashes = ["6 3", "", "2 3", "8 3 2 3"];

function normalDensity(x, mean, sd) {
  return Math.exp(-0.5 * ((x - mean) / sd) ** 2) / (sd * Math.sqrt(2 * Math.PI));
}

function marginalsCaption(series, data) {
  if (series.length < 2) return "The approximation as it is. Nothing corrects it: its weights are not to be trusted.";
  return `The approximation as it is, and ${correctedWords(data)}; where they differ, q is wrong. ` +
    "The parameters where the means differ most come first in the list.";
}

// What weights or moves have made of q, by what the verdict says of it.
function correctedWords(data) {
  return ["accurate", "usable"].includes(data.verdict) ? "corrected"
    : `${data.draws.series[1]}, which is no more to be trusted`;
}

function marginalsFigure(section, data) {
  const {densities, series} = data.draws;
  if (!densities.length) return;
  const together = series[0] === "q";
  let chosen = 0;
  addFigure(section, {
    id: "marginals", title: "Marginal densities",
    caption: together ? marginalsCaption(series, data)
      : "The answers of the chains, which are not averaged. The parameters in which they differ most come first in the list.",
    controls: (parent, redraw) =>
      addSelect(parent, "parameter", densities.map(d => d.name), i => { chosen = i; redraw(); }),
    draw: (svg, width) => drawMarginal(svg, width, densities[chosen], series, together)
  });
}

function drawMarginal(svg, width, marginal, labels, together) {
  const grid = d3.range(marginal.curves[0].length)
    .map(i => marginal.low + (marginal.high - marginal.low) * i / (marginal.curves[0].length - 1));
  const series = marginal.curves.map((curve, i) => ({
    label: labels[i], color: seriesColor(i), dash: together ? seriesDashes[i] : seriesDashes[(i + 1) % 4],
    points: curve.map((d, g) => [grid[g], d]), dots: false
  }));
  if (marginal.reference) {
    const [mean, sd] = marginal.reference;
    series.push({label: "reference", color: "var(--ink)", dash: "2 3", points: grid.map(x => [x, normalDensity(x, mean, sd)])});
  }
  const high = d3.max(series, s => d3.max(s.points, d => d[1]));
  lineChart(svg, width, {
    series, legend: true, height: 280,
    x: {label: marginal.name, name: marginal.name, scale: d3.scaleLinear().domain([marginal.low, marginal.high])},
    y: {label: "density", scale: d3.scaleLinear().domain([0, high * 1.05])}
  });
}
