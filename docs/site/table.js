// SPDX-License-Identifier: MIT
// Long tables can be filtered by words and sorted by a column. Without scripts they stand as they are.
"use strict";
const LONG = 20;

// Numbers come before texts, and by size.
function compare(a, b) {
    const x = parseFloat(a.replace(/^[^0-9-]*/, "")), y = parseFloat(b.replace(/^[^0-9-]*/, ""));
    if (/^[0-9]/.test(a) && /^[0-9]/.test(b) && x !== y) return x - y;
    return a.localeCompare(b);
}

function sortBy(body, column, down) {
    const rows = [...body.rows];
    rows.sort((a, b) => (down ? -1 : 1) * compare(a.cells[column].textContent.trim(), b.cells[column].textContent.trim()));
    body.append(...rows);
}

function addSorting(table, body) {
    for (const head of table.tHead.rows[0].cells) {
        const button = document.createElement("button");
        button.type = "button";
        button.append(...head.childNodes);
        head.append(button);
        button.addEventListener("click", () => {
            const down = head.getAttribute("aria-sort") === "ascending";
            for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
            head.setAttribute("aria-sort", down ? "descending" : "ascending");
            sortBy(body, head.cellIndex, down);
        });
    }
}

function addFilter(table, body) {
    const label = document.createElement("label"), input = document.createElement("input"), count = document.createElement("span");
    label.className = "filter";
    input.type = "search";
    input.placeholder = "Filter the rows";
    input.setAttribute("aria-label", "Filter the rows of the table");
    count.setAttribute("role", "status");
    label.append(input, count);
    table.before(label);
    input.addEventListener("input", () => {
        const wanted = input.value.toLowerCase().split(/\s+/).filter(Boolean);
        let shown = 0;
        for (const row of body.rows) {
            const text = row.textContent.toLowerCase();
            row.hidden = !wanted.every(word => text.includes(word));
            shown += row.hidden ? 0 : 1;
        }
        count.textContent = wanted.length ? ` ${shown} of ${body.rows.length}` : "";
    });
}

for (const table of document.querySelectorAll("main table")) {
    const body = table.tBodies[0];
    if (!body || !table.tHead || body.rows.length < LONG) continue;
    addSorting(table, body);
    addFilter(table, body);
}
