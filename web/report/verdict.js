// The first screen: what was found, whether to use it, what to do next, and the numbers behind it.
"use strict";

// A shape for each verdict, so that color is never alone in telling: outline and sign.
const verdictIcons = {
  "accurate": ["M24 3a21 21 0 1 0 .01 0z", "M14 25l7 7 14-16"],
  "usable": ["M24 2l19 11v22L24 46 5 35V13z", "M14 25l7 7 14-16"],
  "unreliable": ["M24 4L46 43H2z", "M24 18v12M24 35.5v1"],
  "not-converged": ["M24 2l22 22-22 22L2 24z", "M24 13v14M24 33.5v1"],
  "failed": ["M15 3h18l12 12v18L33 45H15L3 33V15z", "M16 16l16 16M32 16L16 32"]
};

function showVerdict(section, data) {
  section.dataset.verdict = data.verdict;
  const head = add(section, "div", "verdict-head");
  const icon = d3.select(head).append("svg").attr("class", "verdict-icon").attr("viewBox", "0 0 48 48").attr("aria-hidden", "true");
  const [outline, sign] = verdictIcons[data.verdict];
  icon.append("path").attr("class", "outline").attr("d", outline);
  icon.append("path").attr("class", "sign").attr("d", sign);
  const words = add(head, "div");
  add(words, "h2", "verdict-word", data.verdict).id = "verdict-word";
  add(words, "p", "verdict-meaning", `${capital(data.meaning)}.`);
  showFindings(section, data);
}

// As a sentence begins; the symbol q stays as it is.
const capital = text => /^q\b/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);

const severityWords = {failure: "\u2715 failure", warning: "! warning", note: "i note"};

function showFindings(section, data) {
  if (!data.findings.length) {
    add(section, "p", "nothing-found", "Every check passed; there is nothing to do.");
    return;
  }
  const list = add(section, "ul", "findings");
  for (const finding of data.findings) {
    const item = add(list, "li", `finding ${finding.severity}`);
    const tags = add(item, "p", "finding-tags");
    add(tags, "span", "severity", severityWords[finding.severity]);
    add(tags, "code", "", finding.code);
    add(item, "p", "finding-message", `${capital(finding.message)}.`);
    const advice = add(item, "p", "finding-advice");
    add(advice, "strong", "", "What to do: ");
    advice.appendChild(document.createTextNode(`${finding.advice}.`));
    add(item, "p", "finding-source", `Criterion: ${finding.source}`);
  }
}

// Tiles with the value, its limit and whether it holds; null where nothing was computed.
function showNumbers(section, data) {
  if (data.criteria.length) {
    const tiles = add(section, "div", "tiles");
    for (const c of data.criteria) {
      const tile = add(tiles, "div", c.holds ? "tile holds" : "tile fails");
      add(tile, "p", "tile-label", c.label);
      const line = add(tile, "p", "tile-line");
      add(line, "span", "tile-value", minus(c.value.replace("inf", "\u221e")));
      const limit = add(line, "span", "tile-limit");
      add(limit, "span", "tile-sign", c.holds ? "\u2713" : "\u2715").setAttribute("aria-hidden", "true");
      const rule = c.limit.replace("<=", "\u2264");
      limit.appendChild(document.createTextNode(c.holds || !rule ? ` ${rule}` : ` not ${rule}`));
      add(tile, "p", "tile-meaning", `${capital(c.meaning)}.`);
      if (c.note) add(tile, "p", "tile-note", c.note);
    }
  } else {
    add(section, "p", "muted", "The fit broke down before any of them could be computed.");
  }
  if (data.reference.length) {
    const table = add(add(section, "div", "scroll"), "table", "plain");
    const head = add(add(table, "thead"), "tr");
    for (const text of ["against the reference", "D_mu", "D_Sigma", "KL"]) add(head, "th", "", text).scope = "col";
    const body = add(table, "tbody");
    for (const row of data.reference) {
      const line = add(body, "tr");
      row.forEach((text, i) => add(line, i === 0 ? "th" : "td", "", i === 0 ? text : cellText(text)));
    }
  }
}

// How the fit ran, and all its options.
function showRun(section, data) {
  const list = add(section, "dl", "run");
  for (const [label, value] of data.run) {
    const entry = add(list, "div");
    add(entry, "dt", "", label);
    add(entry, "dd", "", grouped(minus(value)));
  }
  const details = add(section, "details", "options");
  add(details, "summary", "", "All options");
  const table = add(add(details, "div", "scroll"), "table", "plain");
  const body = add(table, "tbody");
  for (const [name, symbol, value, meaning] of data.options) {
    const row = add(body, "tr");
    const flag = add(row, "th");
    flag.scope = "row";
    add(flag, "code", "", `--${name.replace(/_/g, "-")}`);
    add(row, "td", "number", value || "\u2013");
    add(row, "td", "meaning", symbol ? `${meaning} (${symbol})` : meaning);
  }
}
