// Tables of parameters: sorted by any column, searched by name, drawn only where one looks.
"use strict";

const tableColumns = ["mean", "sd", "5 %", "50 %", "95 %", "MCSE", "digits"];
const columnHelp = ["posterior mean", "standard deviation", "5 % quantile", "median", "95 % quantile",
  "Monte Carlo standard error of the mean", "significant digits of the mean that can be trusted"];
const rowHeight = 30, mostRowsShown = 16, mostRowsPrinted = 1000;

// Of a mixture: how much of the posterior each mode holds, and who came to it.
function showModes(section, data) {
  if (data.modes.length < 2) return;
  add(section, "p", "muted", "The posterior has several modes; the answer is their mixture, by their mass.");
  const table = add(section, "table", "plain modes");
  const head = add(add(table, "thead"), "tr");
  for (const title of ["mode", "mass", "starts that came to it", "chains", ""]) add(head, "th", "", title);
  const body = add(table, "tbody");
  data.modes.forEach((mode, i) => {
    const row = add(body, "tr");
    const name = add(row, "td");
    add(name, "span", "swatch").style.background = seriesColor(i);
    name.appendChild(document.createTextNode(` ${i + 1}`));
    for (const cell of [mode.mass.replace("+-", "\u00b1"), mode.starts, mode.chains || "\u2013"]) add(row, "td", "", cell);
    add(row, "td", "", mode.exchanged && `is ${mode.exchanged}: the same under other names`);
  });
}

function showParameters(section, data) {
  const {names, answers, left_out: leftOut} = data.tables;
  if (!answers.length || !names.length) {
    add(section, "p", "muted", answers.length ? "The model reports no parameters."
      : "There are none to show: the fit ended before it had an answer. The findings above say why.");
    return;
  }
  if (answers.length > 1) {
    add(section, "p", "muted", "The chains came to different answers, so each is shown on its own; they are not averaged.");
  }
  showModes(section, data);
  const controls = add(section, "div", "controls");
  const searchLabel = add(controls, "label", "", "search");
  const search = add(searchLabel, "input");
  search.type = "search";
  search.id = "search";
  search.placeholder = "name";
  const count = add(controls, "span", "count");
  count.id = "count";
  count.setAttribute("aria-live", "polite");
  const tables = answers.map((answer, i) => parameterTable(section, names, answer, i));
  addWeighting(controls, answers, tables);
  const missing = answers.find(a => a.sd_missing);
  if (missing) add(section, "p", "muted sd-missing", `sd \u2013: ${missing.sd_missing}; the other numbers stand.`);
  if (leftOut > 0) add(section, "p", "muted", `${grouped(leftOut)} more parameters are in fit.json.`);
  const update = () => {
    const found = tables.map(table => table.search(search.value))[0];
    count.textContent = found === names.length ? `${grouped(names.length)} parameters`
      : `${grouped(found)} of ${grouped(names.length)} parameters`;
  };
  search.addEventListener("input", update);
  update();
}

function addWeighting(controls, answers, tables) {
  if (!answers.some(a => a.weighted)) {
    add(controls, "span", "count", "not weighted: the weights are not to be trusted");
    return;
  }
  const group = add(controls, "div", "toggle");
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", "weighting");
  const buttons = ["weighted", "unweighted"].map(view => {
    const moved = {weighted: "moved", unweighted: "q"};
    const button = add(group, "button", "", answers.some(a => a.moved) ? moved[view] : view);
    button.type = "button";
    button.addEventListener("click", () => {
      tables.forEach(table => table.view(view));
      buttons.forEach(b => b.setAttribute("aria-pressed", b === button));
    });
    return button;
  });
  buttons[0].setAttribute("aria-pressed", true);
  buttons[1].setAttribute("aria-pressed", false);
}

// One answer's table. Only the rows in sight are elements; two empty rows stand for those above and
// below.
function parameterTable(section, names, answer, index) {
  if (answer.label) {
    const title = add(section, "h3", "table-title", capital(answer.label));
    const facts = [];
    if (finite(answer.mode_weight)) facts.push(`${shortNumber(100 * answer.mode_weight)} % of the mass`);
    if (answer.elbo) facts.push(`ELBO ${cellText(answer.elbo)}`);
    add(title, "span", "table-facts", facts.join(", "));
  }
  const columns = {};
  for (const view of ["weighted", "unweighted"]) {
    columns[view] = answer[view] ? answer[view].map(text => text.split(" ")) : null;
  }
  columns.weighted = columns.weighted || columns.unweighted;
  const state = {view: "weighted", sorted: -2, ascending: true, rows: d3.range(names.length), text: ""};

  const box = add(section, "div", "rows");
  box.tabIndex = 0;
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", `parameters ${answer.label}`);
  const table = add(box, "table", "parameters");
  table.id = index === 0 ? "parameter-table" : `parameter-table-${index + 1}`;
  const heads = addHead(table, sortBy);
  const body = add(table, "tbody");

  const draw = everything => {
    const total = state.rows.length;
    const inSight = everything ? Math.min(total, mostRowsPrinted) : mostRowsShown + 10;
    const first = everything ? 0 : Math.max(0, Math.min(Math.floor(box.scrollTop / rowHeight) - 5, total - inSight));
    const last = Math.min(total, first + inSight);
    table.setAttribute("aria-rowcount", total + 1);
    body.textContent = "";
    addSpace(body, first);
    for (let r = first; r < last; ++r) addRow(body, names, columns[state.view], state.rows[r], r);
    if (!everything) addSpace(body, total - last);
    box.classList.toggle("scrolls", total > mostRowsShown);
  };

  function arrange() {
    const wanted = state.text.toLowerCase();
    state.rows = d3.range(names.length).filter(i => names[i].toLowerCase().includes(wanted));
    if (state.sorted > -2) sortRows(state, names, columns[state.view]);
    draw(false);
  }

  function sortBy(column) {
    // Names and then numbers the other way at the second click, as they were at the third.
    const started = state.sorted === column;
    const first = column === -1;
    if (started && state.ascending !== first) state.sorted = -2;
    else if (started) state.ascending = !first;
    else Object.assign(state, {sorted: column, ascending: first});
    heads.forEach((head, i) => head.setAttribute("aria-sort",
      state.sorted !== i - 1 ? "none" : state.ascending ? "ascending" : "descending"));
    box.scrollTop = 0;
    arrange();
  }

  box.addEventListener("scroll", () => window.requestAnimationFrame(() => draw(false)));
  window.addEventListener("beforeprint", () => draw(true));
  window.addEventListener("afterprint", () => draw(false));
  draw(false);
  return {
    search: text => {
      state.text = text;
      box.scrollTop = 0;
      arrange();
      return state.rows.length;
    },
    view: view => {
      state.view = view;
      arrange();
    }
  };
}

function addHead(table, sortBy) {
  const row = add(add(table, "thead"), "tr");
  return ["parameter", ...tableColumns].map((label, i) => {
    const head = add(row, "th");
    head.scope = "col";
    head.setAttribute("aria-sort", "none");
    const button = add(head, "button", "", label);
    button.type = "button";
    button.title = i === 0 ? "sort by name" : `${columnHelp[i - 1]}; sort by it`;
    button.addEventListener("click", () => sortBy(i - 1));
    return head;
  });
}

function addSpace(body, rows) {
  if (rows <= 0) return;
  const row = add(body, "tr", "space");
  row.setAttribute("aria-hidden", "true");
  const cell = add(row, "td");
  cell.colSpan = tableColumns.length + 1;
  cell.style.height = `${rows * rowHeight}px`;
}

function addRow(body, names, columns, i, place) {
  const row = add(body, "tr", place % 2 ? "odd" : "");
  row.setAttribute("aria-rowindex", place + 2);
  const name = add(row, "th", "", names[i]);
  name.scope = "row";
  name.title = names[i];
  for (const column of columns) add(row, "td", "", cellText(column[i]));
}

// What is not a number comes last either way; equal values keep the model's order.
function sortRows(state, names, columns) {
  const sign = state.ascending ? 1 : -1;
  if (state.sorted === -1) {
    const collator = new Intl.Collator("en", {numeric: true});
    state.rows.sort((a, b) => sign * collator.compare(names[a], names[b]) || a - b);
    return;
  }
  const keys = columns[state.sorted].map(cellNumber);
  state.rows.sort((a, b) => {
    if (Number.isNaN(keys[a]) || Number.isNaN(keys[b])) return Number.isNaN(keys[a]) - Number.isNaN(keys[b]) || a - b;
    return sign * (keys[a] - keys[b]) || a - b;
  });
}
