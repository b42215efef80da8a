// Small helpers of the report: elements, numbers and colors.
"use strict";

const seriesColors = ["--blue", "--vermillion", "--green", "--purple", "--orange", "--sky", "--ink"];

function seriesColor(i) {
  return `var(${seriesColors[i % seriesColors.length]})`;
}

// Where the colors begin again, lines are dashed.
function seriesDash(i) {
  return i < seriesColors.length ? null : "5 3";
}

// Appends an element. Text is always set as text, never as markup: names come from the user's model.
function add(parent, tag, className, text) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  parent.appendChild(node);
  return node;
}

// Signs of numbers and exponents; hyphens, in dates and words, stay.
const minus = text => text.replace(/(^|[\s(e])-(?=[\d.\u221ei])/g, "$1\u2212");

// A number to a few digits, with a true minus sign.
function shortNumber(x, digits = 3) {
  if (x === null || !Number.isFinite(x)) return "\u2013";
  const size = Math.abs(x);
  if (size !== 0 && (size >= 1e6 || size < 1e-4)) return minus(x.toExponential(digits - 1));
  return minus(String(Number(x.toPrecision(digits))));
}

// A cell of a table as it was written, with signs that line up.
function cellText(text) {
  if (text === "-") return "\u2013";
  return minus(text.replace("inf", "\u221e"));
}

function cellNumber(text) {
  if (text === "inf") return Infinity;
  if (text === "-inf") return -Infinity;
  return Number(text);  // NaN of "-"
}

// Thousands of whole numbers set apart; decimals as they are.
function grouped(text) {
  return String(text).replace(/(^|[^.\d])(\d{5,})(?![.\d])/g,
    (all, before, digits) => before + digits.replace(/\B(?=(\d{3})+$)/g, "\u2009"));
}

const finite = x => x !== null && Number.isFinite(x);
