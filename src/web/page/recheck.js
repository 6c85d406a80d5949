// SPDX-License-Identifier: MIT
// A report that checks itself (explain --report --self-checking): every number that carries its question is asked of the module again,
// and shown as the module gives it.
"use strict";

// Seconds for one question.
const LIMIT = 60;

const written = (enclosure) => enclosure.lo === enclosure.hi ? enclosure.lo : `[${enclosure.lo}, ${enclosure.hi}]`;

function mark(place, kind, text) {
  place.append(make("span.again" + (kind === "" ? "" : "." + kind), " " + text));
  return kind;
}

// One enclosure: its text must be the answer's.
function recheckNumber(place, found) {
  const stated = place.textContent, now = found && written(found);
  if (now !== stated) return mark(place, "fails", `\u2717 recomputed here: ${now || "no such number"}`);
  place.textContent = now;
  return mark(place, "", "\u2713 recomputed here");
}

// The table of the profile: each of its rows must be among the answer's.
function recheckTable(table, points) {
  const rows = Array.from(table.querySelectorAll("tr")).slice(1);
  const same = rows.filter((row) => {
    const [epsilon, lo, hi] = Array.from(row.cells, (cell) => cell.textContent);
    return points.some((p) => p.epsilon === epsilon && p.delta.lo === lo && p.delta.hi === hi);
  });
  const caption = table.createCaption();
  return same.length === rows.length && rows.length > 0 ? mark(caption, "", `\u2713 ${rows.length} rows recomputed here`)
    : mark(caption, "fails", `\u2717 ${rows.length - same.length} of ${rows.length} rows are not what is recomputed here`);
}

async function recheck(place) {
  const args = place.dataset.ask.split(" "), name = place.dataset.value;
  const answer = await engine.ask([...args, "--json"], {seconds: LIMIT});
  const at = name === "profile" ? place.createCaption() : place;
  if (answer.status === "late") return mark(at, "open", `not recomputed: that takes more than ${LIMIT} s here`);
  if (answer.status !== 0) return mark(at, "open", `not recomputed: ${reason(answer)}`);
  const found = JSON.parse(answer.out)[name];
  return name === "profile" ? recheckTable(place, found) : recheckNumber(place, found);
}

async function recheckAll() {
  const summary = document.getElementById("rechecked"), places = Array.from(document.querySelectorAll("[data-ask]"));
  const count = {"": 0, fails: 0, open: 0}, begun = performance.now();
  for (const place of places) {
    summary.textContent = `Being recomputed in this tab: ${count[""] + count.fails + count.open} of ${places.length} questions.`;
    count[await recheck(place).catch((error) => mark(place, "open", "not recomputed: " + error.message))]++;
  }
  summary.className = count.fails > 0 ? "fails" : count.open > 0 ? "open" : "holds";
  summary.textContent = (count.fails > 0 ? `${count.fails} of ${places.length} answers on this page are NOT what this tab recomputes: do not rely on it.`
    : `${count[""]} of ${places.length} answers were recomputed in this tab, in ${spent(performance.now() - begun)}, and are the same; they are marked.`)
    + (count.open > 0 ? ` ${count.open} could not be recomputed here.` : "")
    + " Pictures, the table of the worst pair, accuracy and words were not recomputed.";
}

showModule();
recheckAll();
