// The frame that all figures share: title, drawing, caption, saving, values under the pointer.
"use strict";

// Adds a figure whose draw(svg, width) is called again when the width changes. A spec has id, title,
// caption, draw and, where there is something to choose, controls(parent, redraw).
function addFigure(section, spec) {
  const figure = add(section, "figure", spec.tall ? "figure tall" : "figure");
  figure.id = spec.id;
  const head = add(figure, "div", "figure-head");
  add(head, "h3", "", spec.title);
  const save = add(head, "button", "button save", "Save as SVG");
  save.type = "button";
  save.setAttribute("aria-label", `Save "${spec.title}" as SVG`);
  const redraw = () => drawFigure(figure, spec);
  if (spec.controls) spec.controls(add(figure, "div", "controls"), redraw);
  const holder = add(figure, "div", "drawing");
  const svg = d3.select(holder).append("svg").attr("tabindex", 0).attr("role", "img")
    .attr("aria-label", `${spec.title}. ${spec.summary || ""} Arrow keys step through the values.`);
  add(figure, "figcaption", "", spec.caption);
  save.addEventListener("click", () => saveSvg(svg.node(), spec));
  new ResizeObserver(() => {
    if (Math.round(holder.clientWidth) !== Number(svg.attr("width"))) redraw();
  }).observe(holder);
  redraw();
  return figure;
}

function drawFigure(figure, spec) {
  const width = Math.round(figure.querySelector(".drawing").clientWidth);
  if (width < 50) return;
  const svg = d3.select(figure).select("svg");
  svg.selectAll("*").remove();
  svg.attr("width", width);
  spec.draw(svg, width);
}

// Makes room for a legend and the axes; returns the plot's group and its size.
function frame(svg, width, height, {left = 56, right = 14, top = 24, bottom = 40, legend = []} = {}) {
  const legendHeight = legend.length ? drawLegend(svg, legend, width) + 4 : 0;
  svg.attr("height", height + legendHeight).attr("viewBox", `0 0 ${width} ${height + legendHeight}`);
  const group = svg.append("g").attr("transform", `translate(${left},${top + legendHeight})`);
  return {group, left, top: top + legendHeight, width: width - left - right, height: height - top - bottom};
}

// Items of { label, color, dash, shape }; wraps to as many lines as it needs.
function drawLegend(svg, items, width) {
  const group = svg.append("g").attr("class", "legend");
  let x = 0, y = 12;
  for (const item of items) {
    const entry = group.append("g");
    if (item.shape === "dot") {
      entry.append("circle").attr("cx", 9).attr("cy", -4).attr("r", 3.5).style("fill", item.color);
    } else {
      entry.append("line").attr("class", "series").attr("x2", 18).attr("y1", -4).attr("y2", -4)
        .style("stroke", item.color).attr("stroke-dasharray", item.dash || null);
    }
    const text = entry.append("text").attr("x", 24).text(item.label);
    const length = 24 + text.node().getComputedTextLength() + 18;
    if (x > 0 && x + length > width) {
      x = 0;
      y += 18;
    }
    entry.attr("transform", `translate(${x},${y})`);
    x += length;
  }
  return y + 6;
}

// Horizontal grid, tick labels, and names of both axes; the vertical one's stands above it, to be
// read without turning one's head.
function axes(plot, x, y, {xLabel, yLabel, xTicks, yTicks, xFormat, yFormat}) {
  const across = d3.axisBottom(x).ticks(Math.min(xTicks || 12, Math.max(2, plot.width / 90)))
    .tickFormat(d => (xFormat || shortNumber)(d)).tickSizeOuter(0);
  const up = d3.axisLeft(y).ticks(5).tickFormat(d => (yFormat || shortNumber)(d)).tickSize(-plot.width);
  if (yTicks) up.tickValues(yTicks);
  plot.group.append("g").attr("class", "axis grid").call(up);
  plot.group.append("g").attr("class", "axis").attr("transform", `translate(0,${plot.height})`).call(across);
  plot.group.append("text").attr("class", "axis-label").attr("x", plot.width).attr("y", plot.height + 34)
    .attr("text-anchor", "end").text(xLabel);
  plot.group.append("text").attr("class", "axis-label").attr("x", -plot.left + 2).attr("y", -11).text(yLabel);
}

// Powers of ten, and what lies between them where they are few.
function logTicks([low, high], most = 9) {
  const ticks = [];
  const decades = Math.log10(high / low);
  if (decades < 0.8) return d3.ticks(low, high, 5);
  const step = Math.max(1, Math.ceil(decades / 6));
  const between = [[1, 2, 3, 5, 7], [1, 2, 5], [1, 3]].find(m => m.length * decades <= most) || [1];
  for (let e = Math.floor(Math.log10(low)); e <= Math.ceil(Math.log10(high)); e += step) {
    for (const m of between) {
      const t = m * 10 ** e;
      if (t >= low * (1 - 1e-9) && t <= high * (1 + 1e-9)) ticks.push(t);
    }
  }
  return ticks;
}

// Shows the values of the target nearest to the pointer, or the one chosen with the arrow keys. A
// target has x, y (in pixels of the plot), title and rows of [label, value, color].
function hover(svg, plot, targets, {byX = true} = {}) {
  if (!targets.length) return;
  const rule = plot.group.append("line").attr("class", "rule").attr("y2", plot.height).attr("hidden", true);
  const dot = plot.group.append("circle").attr("class", "focus").attr("r", 6).attr("hidden", true);
  let current = -1;
  const show = i => {
    current = Math.max(0, Math.min(targets.length - 1, i));
    const t = targets[current];
    if (byX) rule.attr("x1", t.x).attr("x2", t.x).attr("hidden", null);
    else dot.attr("cx", t.x).attr("cy", t.y).attr("hidden", null);
    const box = svg.node().getBoundingClientRect();
    showTooltip(t, box.left + plot.left + t.x, box.top + plot.top + (t.y === undefined ? 0 : t.y));
  };
  const hide = () => {
    rule.attr("hidden", true);
    dot.attr("hidden", true);
    hideTooltip();
  };
  svg.on("mousemove touchmove", () => {
    const [mx, my] = d3.mouse(plot.group.node());
    show(d3.scan(targets, (a, b) => distance(a, mx, my, byX) - distance(b, mx, my, byX)));
  }).on("mouseleave blur touchend", hide).on("keydown", () => {
    const step = {ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1}[d3.event.key];
    if (d3.event.key === "Escape") hide();
    if (!step) return;
    d3.event.preventDefault();
    show(current < 0 ? (step > 0 ? 0 : targets.length - 1) : current + step);
  });
}

function distance(target, x, y, byX) {
  return byX ? Math.abs(target.x - x) : Math.hypot(target.x - x, target.y - y);
}

function showTooltip(target, x, y) {
  const tip = document.getElementById("tooltip");
  tip.textContent = "";
  add(tip, "strong", "", target.title);
  for (const [label, value, color] of target.rows) {
    const row = add(tip, "div", "tooltip-row");
    if (color) add(row, "span", "swatch").style.background = color;
    add(row, "span", "", label);
    add(row, "span", "value", value);
  }
  tip.hidden = false;
  const left = x + 14 + tip.offsetWidth > window.innerWidth ? x - 14 - tip.offsetWidth : x + 14;
  tip.style.left = `${Math.max(4, left)}px`;
  tip.style.top = `${Math.max(4, Math.min(y, window.innerHeight - tip.offsetHeight - 4))}px`;
}

function hideTooltip() {
  document.getElementById("tooltip").hidden = true;
}
