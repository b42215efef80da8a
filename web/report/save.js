// Saves a figure as an SVG file that looks the same without this page's style.
"use strict";

const savedStyles = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "opacity",
  "stroke-dasharray", "font-family", "font-size", "font-weight", "text-anchor"];

function saveSvg(svg, spec) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([svgText(svg, spec.title)], {type: "image/svg+xml"}));
  link.download = `${spec.id}.svg`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function svgText(svg, title) {
  const copy = svg.cloneNode(true);
  const originals = svg.querySelectorAll("*"), copies = copy.querySelectorAll("*");
  originals.forEach((node, i) => {
    const style = getComputedStyle(node);
    copies[i].removeAttribute("style");
    copies[i].removeAttribute("class");
    for (const name of savedStyles) copies[i].setAttribute(name, style.getPropertyValue(name));
  });
  copy.querySelectorAll("[hidden]").forEach(node => node.remove());
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  for (const name of ["tabindex", "role", "aria-label"]) copy.removeAttribute(name);
  const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  paper.setAttribute("width", "100%");
  paper.setAttribute("height", "100%");
  paper.setAttribute("fill", getComputedStyle(svg.closest("figure")).backgroundColor);
  copy.insertBefore(paper, copy.firstChild);
  const name = document.createElementNS("http://www.w3.org/2000/svg", "title");
  name.textContent = title;
  copy.insertBefore(name, copy.firstChild);
  return new XMLSerializer().serializeToString(copy);
}
