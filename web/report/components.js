// The components of q that are most in doubt: autocorrelation and tail index of their iterates.
"use strict";

function autocorrelationFigure(section, data) {
  const shown = data.components.filter(c => c.autocorrelation.some(finite));
  if (!shown.length) return;
  let chosen = 0;
  const pointsOf = c => c.autocorrelation.map((r, i) => [i * c.every, r]);
  addFigure(section, {
    id: "autocorrelation", title: "Autocorrelation of iterates",
    caption: "How much an iterate tells of one that many iterations later; the mean over the chains, for " +
      "the components most in doubt. The sooner it falls to zero, the more independent iterates the average is worth.",
    controls: shown.length < 2 ? null : (parent, redraw) =>
      addSelect(parent, "component", shown.map(c => c.name), i => { chosen = i; redraw(); }),
    draw: (svg, width) => {
      const others = shown.filter((c, i) => i !== chosen).map(c => ({
        label: c.name, color: "var(--faint)", thin: true, points: pointsOf(c)
      }));
      const series = [...others, {label: shown[chosen].name, color: seriesColor(0), points: pointsOf(shown[chosen])}];
      const all = series.flatMap(s => s.points);
      const low = Math.min(-0.2, d3.min(all, d => d[1]));
      const plot = frame(svg, width, 260);
      const x = d3.scaleLinear().domain([0, d3.max(all, d => d[0]) || 1]).range([0, plot.width]);
      const y = d3.scaleLinear().domain([low, 1]).range([plot.height, 0]);
      axes(plot, x, y, {xLabel: "lag, iterations", xFormat: grouped, yLabel: "autocorrelation"});
      plot.group.append("line").attr("class", "zero").attr("x2", plot.width).attr("y1", y(0)).attr("y2", y(0));
      const line = d3.line().defined(d => finite(d[1])).x(d => x(d[0])).y(d => y(d[1]));
      for (const s of series) {
        plot.group.append("path").attr("class", `series mark ${s.thin ? "thin" : ""}`)
          .attr("d", line(s.points)).style("stroke", s.color);
      }
      const c = shown[chosen];
      hover(svg, plot, pointsOf(c).filter(d => finite(d[1])).map(([lag, r]) => ({
        x: x(lag), y: y(r), title: `lag ${lag}`, rows: [[c.name, shortNumber(r), seriesColor(0)]]
      })));
    }
  });
}

function tailIndexFigure(section, data) {
  const shown = data.components.filter(c => finite(c.tail_index));
  if (!shown.length) return;
  const limit = data.limits.tail_index;
  const sorted = shown.slice().sort((a, b) => b.tail_index - a.tail_index);
  addFigure(section, {
    id: "tail-index", title: "Tail index of iterates",
    caption: "How heavy the tails of the iterates are, for the components most in doubt. Beyond the limit " +
      "an average is ruled by a few extreme iterates.",
    summary: `The largest is ${shortNumber(sorted[0].tail_index)}, the limit ${shortNumber(limit)}.`,
    draw: (svg, width) => {
      const left = Math.min(170, width * 0.36);
      const plot = frame(svg, width, 64 + 24 * sorted.length, {left, top: 18});
      const values = sorted.map(c => c.tail_index);
      const high = Math.max(d3.max(values), finite(limit) ? limit : 0, 1);
      const x = d3.scaleLinear().domain([Math.min(0, d3.min(values)), high * 1.08]).range([0, plot.width]);
      const y = d3.scalePoint().domain(d3.range(sorted.length)).range([0, plot.height]).padding(0.6);
      plot.group.append("g").attr("class", "axis").attr("transform", `translate(0,${plot.height})`)
        .call(d3.axisBottom(x).ticks(5).tickSizeOuter(0));
      plot.group.append("text").attr("class", "axis-label").attr("x", plot.width).attr("y", plot.height + 34)
        .attr("text-anchor", "end").text("tail index");
      if (finite(limit)) {
        plot.group.append("line").attr("class", "limit").attr("x1", x(limit)).attr("x2", x(limit)).attr("y2", plot.height);
        plot.group.append("text").attr("class", "limit-label").attr("x", x(limit) - 5).attr("y", -5)
          .attr("text-anchor", "end").text(`limit ${shortNumber(limit)}`);
      }
      sorted.forEach((c, i) => {
        plot.group.append("line").attr("class", "stem").attr("x1", x(0)).attr("x2", x(c.tail_index))
          .attr("y1", y(i)).attr("y2", y(i));
        plot.group.append("circle").attr("class", "mark").attr("cx", x(c.tail_index)).attr("cy", y(i)).attr("r", 4.5)
          .style("fill", finite(limit) && c.tail_index > limit ? "var(--vermillion)" : "var(--blue)");
        plot.group.append("text").attr("class", "row-label").attr("x", -10).attr("y", y(i) + 4)
          .attr("text-anchor", "end").text(shortened(c.name, Math.floor(left / 7.2)));
      });
      hover(svg, plot, sorted.map((c, i) => ({
        x: x(c.tail_index), y: y(i), title: c.name,
        rows: [["tail index", shortNumber(c.tail_index)], ["R-hat", shortNumber(c.rhat)],
               ["ESS", shortNumber(c.ess)], ["MCSE", shortNumber(c.mcse)]]
      })), {byX: false});
    }
  });
}

// The end of a long name tells more than its middle.
function shortened(name, length) {
  return name.length <= length ? name : `${name.slice(0, Math.ceil(length / 2) - 1)}\u2026${name.slice(-Math.floor(length / 2))}`;
}

function addSelect(parent, label, options, choose) {
  const holder = add(parent, "label", "", label);
  const select = add(holder, "select");
  options.forEach((text, i) => { add(select, "option", "", text).value = i; });
  select.addEventListener("change", () => choose(Number(select.value)));
  return select;
}
