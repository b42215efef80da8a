// Reads the data and fills the page.
"use strict";

// The system's theme until one is chosen here; the choice is kept where the browser allows it.
function setUpTheme() {
  const button = document.getElementById("theme");
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  let chosen = keptTheme();
  const apply = () => {
    const theme = chosen || (system.matches ? "dark" : "light");
    document.documentElement.dataset.theme = theme;
    button.textContent = theme === "dark" ? "Light" : "Dark";
  };
  button.addEventListener("click", () => {
    chosen = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    keepTheme(chosen);
    apply();
  });
  system.addListener(apply);
  apply();
}

// Browsers may refuse storage to pages from disk.
function keptTheme() {
  try {
    const kept = localStorage.getItem("ravi-theme");
    return ["light", "dark"].includes(kept) ? kept : null;
  } catch (e) {
    return null;
  }
}

function keepTheme(theme) {
  try {
    localStorage.setItem("ravi-theme", theme);
  } catch (e) {
    // The choice then lasts as long as the page.
  }
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
