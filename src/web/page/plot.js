// SPDX-License-Identifier: MIT
// Pictures: enclosures on a line, and delta over epsilon.
"use strict";

function svg(name, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function picture(width, height, title, ...children) {
  return svg("svg", {viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": title, class: "picture"}, svg("title", {}, title), ...children);
}

// Enclosures under each other: rows of {label, lo, hi, kind}. Positions are exact; the scale is that of the last digits.
function enclosures(rows) {
  const values = aligned(rows.flatMap((row) => [row.lo, row.hi]));
  if (values === null) return null;
  let least = values[0], greatest = values[0];
  for (const v of values) {
    if (v < least) least = v;
    if (v > greatest) greatest = v;
  }
  // Ends of many digits stand under each other.
  const long = rows.some((row) => row.lo.length + row.hi.length > 46);
  const WIDTH = 380, LEFT = 12, RIGHT = 368, ROW = long ? 72 : 58, span = greatest - least;
  const place = (v) => span === 0n ? (LEFT + RIGHT) / 2 : LEFT + 20 + (RIGHT - LEFT - 40) * Number((v - least) * 100000n / span) / 100000;
  const parts = [];
  rows.forEach((row, i) => {
    const y = 30 + i * ROW, a = place(values[2 * i]), b = place(values[2 * i + 1]);
    parts.push(svg("text", {x: LEFT, y: y - 12, class: "label"}, row.label));
    parts.push(svg("line", {x1: LEFT, x2: RIGHT, y1: y, y2: y, class: "axis"}));
    parts.push(svg("rect", {x: a, y: y - 6, width: Math.max(b - a, 2), height: 12, rx: 1, class: row.kind}));
    parts.push(svg("text", {x: LEFT, y: y + 20, class: "end"}, row.lo));
    if (row.hi !== row.lo) parts.push(svg("text", {x: RIGHT, y: y + (long ? 35 : 20), class: "end", "text-anchor": "end"}, row.hi));
  });
  return picture(WIDTH, rows.length * ROW + 4, rows.map((row) => `${row.label}: from ${row.lo} to ${row.hi}`).join("; "), ...parts);
}

function niceStep(range, most) {
  const raw = range / most, unit = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map((x) => x * unit).find((step) => step >= raw * 0.999);
}

const power = (exponent) => exponent === 0 ? "1" : "1e" + exponent;

// Where the points of a profile lie. Delta is on a logarithmic scale; what is 0 or below the floor lies on the floor.
function frame(points, mark) {
  const xs = points.map((p) => approximately(p.epsilon));
  const logs = points.flatMap((p) => [log10(p.delta.lo), log10(p.delta.hi)]).filter((x) => x > -Infinity);
  if (mark) logs.push(log10(mark.lo));
  const top = Math.ceil(Math.max(...logs, -1)), known = Math.min(...logs.filter((x) => x > -Infinity), -2);
  const floor = Math.max(Math.floor(known), top - 24);
  return {left: xs[0], right: xs[xs.length - 1], top, floor};
}

function grid(box, f, x, y) {
  const parts = [], step = niceStep(f.right - f.left, 6), rows = Math.max(1, Math.ceil((f.top - f.floor) / 7));
  for (let e = Math.ceil(f.left / step) * step; e <= f.right + step / 1000; e += step) {
    parts.push(svg("line", {x1: x(e), x2: x(e), y1: box.top, y2: box.bottom, class: "grid"}));
    parts.push(svg("text", {x: x(e), y: box.bottom + 17, class: "tick", "text-anchor": "middle"}, String(Number(e.toPrecision(6)))));
  }
  for (let d = f.top; d >= f.floor; d -= rows) {
    parts.push(svg("line", {x1: box.left, x2: box.right, y1: y(d), y2: y(d), class: "grid"}));
    parts.push(svg("text", {x: box.left - 7, y: y(d) + 4, class: "tick", "text-anchor": "end"}, power(d)));
  }
  parts.push(svg("text", {x: (box.left + box.right) / 2, y: box.bottom + 36, class: "label", "text-anchor": "middle"}, "epsilon"));
  parts.push(svg("text", {x: box.left - 44, y: box.top - 10, class: "label"}, "delta (logarithmic)"));
  return parts;
}

// Delta over epsilon with both ends of each enclosure, a point that is marked, and a slider that reads the values off.
function profile(points, mark, caption) {
  const box = {left: 56, right: 462, top: 30, bottom: 232}, f = frame(points, mark);
  const x = (e) => box.left + (box.right - box.left) * (e - f.left) / (f.right - f.left || 1);
  const y = (l) => box.top + (box.bottom - box.top) * (f.top - Math.min(f.top, Math.max(f.floor, l))) / (f.top - f.floor || 1);
  const line = (end) => points.map((p) => `${x(approximately(p.epsilon)).toFixed(2)},${y(log10(p.delta[end])).toFixed(2)}`);
  const parts = grid(box, f, x, y);
  parts.push(svg("polygon", {points: [...line("hi"), ...line("lo").reverse()].join(" "), class: "between"}));
  parts.push(svg("polyline", {points: line("hi").join(" "), class: "curve"}));
  if (mark) parts.push(svg("circle", {cx: x(approximately(mark.epsilon)), cy: y(log10(mark.hi)), r: 7, class: "mark"}));
  const cross = svg("line", {y1: box.top, y2: box.bottom, class: "cross"}), dot = svg("circle", {r: 4, class: "dot"});
  const drawn = picture(480, 280, caption, ...parts, cross, dot);
  const slider = make("input"), told = make("output");
  Object.assign(slider, {type: "range", min: 0, max: points.length - 1, step: 1});
  slider.setAttribute("aria-label", "epsilon to read off");
  const show = () => {
    const p = points[Number(slider.value)], at = x(approximately(p.epsilon));
    cross.setAttribute("x1", at), cross.setAttribute("x2", at);
    dot.setAttribute("cx", at), dot.setAttribute("cy", y(log10(p.delta.hi)));
    told.textContent = `epsilon ${p.epsilon}: delta ` + (p.delta.lo === p.delta.hi ? "exactly " + p.delta.lo : `from ${p.delta.lo} to ${p.delta.hi}`);
    slider.setAttribute("aria-valuetext", told.textContent);
  };
  const nearest = (target) => points.reduce((best, p, i) =>
    Math.abs(approximately(p.epsilon) - target) < Math.abs(approximately(points[best].epsilon) - target) ? i : best, 0);
  slider.value = nearest(mark ? approximately(mark.epsilon) : (f.left + f.right) / 2);
  slider.addEventListener("input", show);
  drawn.addEventListener("pointermove", (event) => {
    const bounds = drawn.getBoundingClientRect(), at = (event.clientX - bounds.left) * 480 / bounds.width;
    slider.value = nearest(f.left + (f.right - f.left) * (at - box.left) / (box.right - box.left));
    show();
  });
  show();
  return make("figure", drawn, make("div.read", slider, told), make("figcaption", caption));
}
