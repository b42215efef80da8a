// Reads the data and fills the page.
"use strict";

const themes = ["light", "dark"];

// The system's theme unless one was chosen here; the choice is kept where the browser allows it.
function setUpTheme() {
  const button = document.getElementById("theme");
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const current = () => document.documentElement.dataset.theme || themes[Number(system.matches)];
  const label = () => { button.textContent = current() === "dark" ? "Light" : "Dark"; };
  try {
    const kept = localStorage.getItem("ravi-theme");
    if (themes.includes(kept)) document.documentElement.dataset.theme = kept;
  } catch (e) { /* no storage for pages from disk */ }
  button.setAttribute("aria-label", "switch between light and dark");
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = current() === "dark" ? "light" : "dark";
    try { localStorage.setItem("ravi-theme", current()); } catch (e) { /* as above */ }
    label();
  });
  system.addListener(label);
  label();
}

function showHead(data) {
  document.title = `${data.model}: ${data.verdict}`;
  document.getElementById("model").textContent = data.model || "a model";
  document.getElementById("facts").textContent = [
    `${grouped(data.dimension)} ${data.dimension === 1 ? "dimension" : "dimensions"}`, `${data.family} q`,
    `method ${data.method}`, `${data.chains} ${data.chains === 1 ? "chain" : "chains"}`].join(" \u00b7 ");
  document.getElementById("foot").textContent = `ravi ${data.version}`;
}

function figuresOf(id) {
  return document.querySelector(`#${id} .figures`);
}

function showFigures(data) {
  const posterior = figuresOf("posterior"), optimization = figuresOf("optimization");
  if (data.draws) {
    marginalsFigure(posterior, data);
    pairsFigure(posterior, data);
    weightsFigure(posterior, data);
  } else if (data.tables.answers.length) {
    add(posterior, "p", "muted", "There are no draws in this file, so weights, densities and pairs cannot be drawn.");
  }
  elboFigures(optimization, data);
  convergenceFigures(optimization, data);
  autocorrelationFigure(optimization, data);
  tailIndexFigure(optimization, data);
  for (const figures of [posterior, optimization]) figures.parentElement.hidden = !figures.childElementCount;
}

const fitData = JSON.parse(document.getElementById("data").textContent);
setUpTheme();
showHead(fitData);
showVerdict(document.getElementById("verdict"), fitData);
showNumbers(document.getElementById("numbers"), fitData);
showRun(document.getElementById("numbers"), fitData);
showParameters(document.getElementById("parameters"), fitData);
showFigures(fitData);
