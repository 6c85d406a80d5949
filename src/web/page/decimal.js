// SPDX-License-Identifier: MIT
// Decimals as texts, compared and placed without rounding. A double would lose the digits in which two ends differ.
"use strict";

// "1.47e-05" as {digits: 147n, exponent: -7}; null if it is no decimal.
function decimal(text) {
  const parts = /^(-?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (parts === null) return null;
  const fraction = parts[3] || "";
  return {digits: BigInt(parts[1] + parts[2] + fraction), exponent: Number(parts[4] || 0) - fraction.length};
}

// Several decimals as integers of one common unit; null if their exponents are too far apart to be drawn.
function aligned(texts) {
  const all = texts.map(decimal);
  if (all.some((x) => x === null)) return null;
  const shown = all.filter((x) => x.digits !== 0n);
  const least = Math.min(...shown.map((x) => x.exponent), 0 + (shown.length ? Infinity : 0));
  if (shown.some((x) => x.exponent - least > 2000)) return null;
  return all.map((x) => x.digits === 0n ? 0n : x.digits * 10n ** BigInt(x.exponent - least));
}

// log10 of a decimal that is above 0, as a double: enough for a place on paper.
function log10(text) {
  const x = decimal(text);
  if (x === null || x.digits <= 0n) return -Infinity;
  const digits = x.digits.toString();
  return Math.log10(Number(digits.slice(0, 15))) + Math.max(0, digits.length - 15) + x.exponent;
}

// A rational such as 1/2 or 0.5, as a double: for the range of a plot, and for nothing else.
function approximately(text) {
  const [above, below = "1"] = text.split("/");
  return Number(above) / Number(below);
}

// Returns the number of leading characters that two decimals share.
function shared(a, b) {
  let n = 0;
  while (n < a.length && a[n] === b[n]) n++;
  return n;
}
