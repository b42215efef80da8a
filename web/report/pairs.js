// Draws of the parameters that are worst off, two by two.
"use strict";

function pairsCaption(labels, data) {
  if (labels.length < 2) return "Draws from q. Nothing corrects them: their weights are not to be trusted.";
  return `Draws from q, and ${correctedWords(data)}, of the parameters where they differ most. A bend, a funnel ` +
    "or an edge that only the latter show is what a Gaussian cannot represent.";
}

function pairsFigure(section, data) {
  const pairs = data.draws.pairs;
  if (!pairs) return;
  const labels = pairs.labels;
  const together = labels[0] === "q", ofModes = data.draws.series[0] === "q" && !together;
  addFigure(section, {
    id: "pairs", title: "Pairs of parameters", tall: true,
    caption: together ? pairsCaption(labels, data) : ofModes
      ? "Draws to use, each in the color of its mode, of the parameters in which the modes differ most."
      : "Draws of every chain's answer, of the parameters in which the answers differ most.",
    draw: (svg, width) => drawPairs(svg, width, pairs, labels)
  });
}

function drawPairs(svg, width, pairs, labels) {
  const count = pairs.names.length, gap = 14, left = 64;
  const legend = labels.map((label, i) => ({label, color: seriesColor(i), shape: "dot"}));
  const cell = Math.min(300, (width - left - 10) / (count - 1) - gap), tall = Math.min(260, 1.4 * cell);
  const plot = frame(svg, width, 16 + (tall + gap) * (count - 1) + 44, {legend, left, top: 16, bottom: 44});
  const scales = pairs.names.map((name, k) => {
    const values = pairs.series.flatMap(columns => columns[k]).filter(finite).sort(d3.ascending);
    // A few far draws would leave no room for the others.
    const low = d3.quantile(values, 0.002), high = d3.quantile(values, 0.998), pad = 0.06 * (high - low || 1);
    return d3.scaleLinear().domain([low - pad, high + pad]);
  });
  const targets = [];
  for (let row = 1; row < count; ++row) {
    for (let column = 0; column < row; ++column) {
      const x0 = column * (cell + gap), y0 = (row - 1) * (tall + gap);
      const x = scales[column].copy().range([x0, x0 + cell]), y = scales[row].copy().range([y0 + tall, y0]);
      drawPair(plot.group, pairs, {row, column, x, y, last: row === count - 1}, targets, labels);
    }
  }
  hover(svg, plot, targets, {byX: false});
}

function drawPair(group, pairs, {row, column, x, y, last}, targets, labels) {
  const [x0, x1] = x.range(), [y1, y0] = y.range(), cell = x1 - x0, tall = y1 - y0;
  group.append("rect").attr("class", "panel").attr("x", x0).attr("y", y0).attr("width", cell).attr("height", tall);
  const inside = (a, b) => finite(a) && finite(b) && a >= x.domain()[0] && a <= x.domain()[1] &&
    b >= y.domain()[0] && b <= y.domain()[1];
  pairs.series.forEach((columns, s) => {
    columns[column].forEach((a, i) => {
      const b = columns[row][i];
      if (!inside(a, b)) return;
      group.append("circle").attr("class", "mark draw").attr("cx", x(a)).attr("cy", y(b)).attr("r", 1.9)
        .style("fill", seriesColor(s));
      targets.push({x: x(a), y: y(b), title: labels[s],
                    rows: [[pairs.names[column], shortNumber(a)], [pairs.names[row], shortNumber(b)]]});
    });
  });
  const letters = Math.floor(cell / 7.5);
  if (column === 0) {
    group.append("g").attr("class", "axis").attr("transform", `translate(${x0},0)`).call(d3.axisLeft(y).ticks(4).tickFormat(d => shortNumber(d)).tickSize(3));
    group.append("text").attr("class", "axis-label").attr("transform", `translate(${x0 - 46},${y0 + tall / 2}) rotate(-90)`)
      .attr("text-anchor", "middle").text(shortened(pairs.names[row], letters));
  }
  if (last) {
    group.append("g").attr("class", "axis").attr("transform", `translate(0,${y1})`)
      .call(d3.axisBottom(x).ticks(Math.min(4, cell / 45)).tickFormat(d => shortNumber(d)).tickSize(3));
    group.append("text").attr("class", "axis-label").attr("x", x0 + cell / 2).attr("y", y1 + 34)
      .attr("text-anchor", "middle").text(shortened(pairs.names[column], letters));
  }
}
