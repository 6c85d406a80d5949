// SPDX-License-Identifier: MIT
// Search over the index that the build wrote (index.js sets PAGES and ROOT is set by the page). No network.
"use strict";
const query = document.getElementById("query"), found = document.getElementById("found");

const words = text => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) || [];

// A section counts more for a word in its title than for one in its text, and only if it has all of them.
function score(section, wanted) {
    let sum = 0;
    for (const word of wanted) {
        const title = section.low.indexOf(word), text = section.body.indexOf(word);
        if (title < 0 && text < 0) return 0;
        sum += (title >= 0 ? 10 : 0) + Math.min(5, section.body.split(word).length - 1);
    }
    return sum;
}

function excerpt(section, word) {
    const at = section.body.indexOf(word);
    const from = Math.max(0, at - 40), part = document.createElement("small");
    if (at < 0) {
        part.textContent = section.x.slice(0, 110);
        return part;
    }
    const mark = document.createElement("mark");
    mark.textContent = section.x.slice(at, at + word.length);
    part.append((from ? "…" : "") + section.x.slice(from, at), mark, section.x.slice(at + word.length, at + 80) + "…");
    return part;
}

function show() {
    const wanted = words(query.value).filter(word => word.length > 1);
    found.replaceChildren();
    if (!wanted.length) return;
    const hits = PAGES.map(section => [score(section, wanted), section]).filter(hit => hit[0] > 0);
    hits.sort((a, b) => b[0] - a[0]);
    for (const [, section] of hits.slice(0, 12)) {
        const item = document.createElement("li"), link = document.createElement("a");
        link.href = ROOT + section.u;
        link.textContent = section.p === section.t ? section.t : section.p + " · " + section.t;
        item.append(link, excerpt(section, wanted[0]));
        found.append(item);
    }
    if (!hits.length) found.append(Object.assign(document.createElement("li"), { textContent: "Nothing found." }));
}

for (const section of PAGES) {
    section.low = (section.p + " " + section.t).toLowerCase();
    section.body = section.x.toLowerCase();
}
query.addEventListener("input", show);
if (location.hash.startsWith("#q=")) {
    query.value = decodeURIComponent(location.hash.slice(3));
    show();
}
