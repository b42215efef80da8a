// The tail of the importance weights, the Pareto distribution fitted to it, and k-hat.
"use strict";

function weightsFigure(section, data) {
  const tails = data.draws.psis.filter(t => !t.even);
  if (!tails.length) {
    if (data.draws.psis.length) {
      add(section, "p", "figure muted", "The importance weights hardly vary: there is no tail to show, and k-hat says nothing.");
    }
    return;
  }
  let chosen = 0;
  addFigure(section, {
    id: "weights", title: "Tail of the importance weights",
    caption: "The largest weights p/q of draws from q, in units of their mean; rarer ones to the right. k-hat " +
      "is how steeply the solid curve rises in the end: a tail below the dashed line is lighter than the limit " +
      "allows, one above it is too heavy, and a few draws then decide everything.",
    summary: `k-hat is ${tails[0].khat}, the limit ${shortNumber(data.limits.khat)}.`,
    controls: tails.length < 2 ? null : (parent, redraw) =>
      addSelect(parent, "answer", tails.map(t => t.label), i => { chosen = i; redraw(); }),
    draw: (svg, width) => drawTail(svg, width, tails[chosen], data.limits.khat)
  });
}

function drawTail(svg, width, tail, limit) {
  const fitted = tail.curve_fit !== undefined;
  const legend = [{label: "draws from q", color: seriesColor(0), shape: "dot"}];
  if (fitted) {
    legend.push({label: `Pareto tail, k-hat ${minus(tail.khat)}`, color: seriesColor(1)});
    legend.push({label: `limit, k-hat ${shortNumber(limit, 2)}`, color: "var(--muted)", dash: "5 4"});
  }
  const plot = frame(svg, width, 280, {legend, left: 60});
  const weights = tail.weight.concat(fitted ? tail.curve_fit : []).filter(w => finite(w) && w > 0);
  const domain = [d3.min(weights) / 1.05, d3.max(weights) * 1.15];
  const shares = [d3.max(tail.share) * 1.05, d3.min(tail.share) / 1.2];
  const x = d3.scaleLog().domain(shares).range([0, plot.width]);
  const y = d3.scaleLog().domain(domain).range([plot.height, 0]);
  plot.group.append("clipPath").attr("id", "weights-clip").append("rect").attr("width", plot.width).attr("height", plot.height);
  const percent = share => `${shortNumber(100 * share, 2)} %`;
  plot.group.append("g").attr("class", "axis grid")
    .call(d3.axisLeft(y).tickValues(logTicks(domain)).tickFormat(d => shortNumber(d)).tickSize(-plot.width));
  plot.group.append("g").attr("class", "axis").attr("transform", `translate(0,${plot.height})`)
    .call(d3.axisBottom(x).tickValues(logTicks([shares[1], shares[0]], plot.width / 80)).tickFormat(percent).tickSizeOuter(0));
  plot.group.append("text").attr("class", "axis-label").attr("x", plot.width).attr("y", plot.height + 34)
    .attr("text-anchor", "end").text("share of the draws with a larger weight");
  plot.group.append("text").attr("class", "axis-label").attr("x", -58).attr("y", -11).text("weight, times the mean");
  plot.group.append("g").selectAll("circle").data(tail.share).join("circle").attr("class", "mark weight")
    .attr("cx", d => x(d)).attr("cy", (d, i) => y(tail.weight[i])).attr("r", 2.6).style("fill", seriesColor(0));
  if (fitted) {
    const curve = values => d3.line().x((d, i) => x(tail.curve_share[i])).y(d => y(d))(values);
    const lines = plot.group.append("g").attr("clip-path", "url(#weights-clip)");
    lines.append("path").attr("class", "series limit-curve").attr("d", curve(tail.curve_limit));
    lines.append("path").attr("class", "series mark").attr("d", curve(tail.curve_fit)).style("stroke", seriesColor(1));
  }
  hover(svg, plot, tail.share.map((share, i) => ({
    x: x(share), y: y(tail.weight[i]), title: i === 0 ? "the largest weight" : `weight number ${Math.round(share * tail.draws + 0.5)}`,
    rows: [["times the mean", shortNumber(tail.weight[i])], ["share of all weight", percent(tail.weight[i] / tail.draws)]]
  })).reverse(), {byX: false});
}
