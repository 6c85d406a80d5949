// SPDX-License-Identifier: MIT
// The module behind a page: unpacked once, and run in workers that can be ended.
"use strict";

const block = (id) => document.getElementById(id).textContent;

async function unpack() {
  const packed = Uint8Array.from(atob(block("module")), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function sha256(bytes) {
  if (!globalThis.crypto || !crypto.subtle) return null;
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (b) => b.toString(16).padStart(2, "0")).join("");
}

const engine = (() => {
  let url = null;
  const loaded = unpack().then(async (bytes) => ({hash: await sha256(bytes), module: await WebAssembly.compile(bytes)}));
  loaded.catch(() => {});

  // Seconds of the clock beyond the limit after which a command that has not looked at the clock is ended.
  const PATIENCE = 5;

  // Runs one command: {status, out, err, milliseconds}; status "late" if it took too long, "cancelled" if the signal said so.
  async function ask(args, {files = {}, seconds = 60, signal = null} = {}) {
    const {module} = await loaded;
    if (signal && signal.aborted) return {status: "cancelled", out: "", err: ""};
    url = url || URL.createObjectURL(new Blob([block("worker").replaceAll("<\\/", "</")], {type: "text/javascript"}));
    const worker = new Worker(url);
    const begun = performance.now();
    return new Promise((resolve) => {
      const end = (answer) => {
        clearTimeout(timer);
        worker.terminate();
        resolve({milliseconds: performance.now() - begun, ...answer});
      };
      const timer = setTimeout(() => end({status: "late", out: "", err: "", foreseen: null}), 1000 * (seconds + PATIENCE));
      if (signal) signal.addEventListener("abort", () => end({status: "cancelled", out: "", err: ""}), {once: true});
      worker.onerror = (event) => end({status: 3, out: "", err: "probity: " + (event.message || "the worker failed") + "\n"});
      worker.onmessage = (event) => {
        const late = event.data.status === 3 && event.data.err.includes("out of time");
        end(late ? {...event.data, status: "late", foreseen: foreseen(event.data)} : event.data);
      };
      worker.postMessage({id: 0, module, args, files, seconds});
    });
  }
  return {ask, loaded};
})();

// Signs that a reader does not see, or that turn the line around: shown by their numbers.
const plainly = (text) => text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]/gu, (sign) => sign === "\n" || sign === "\t" ? sign : `\u27e8U+${sign.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}\u27e9`).replace(/\p{Cs}/gu, "\ufffd");

// An element: make("p.note", "text", child, ...). Text is text, never markup, and without signs that nobody sees.
function make(what, ...children) {
  const [name, ...classes] = what.split(".");
  const element = document.createElement(name);
  if (classes.length > 0) element.className = classes.join(" ");
  element.append(...children.filter((child) => child !== null && child !== undefined).map((child) => typeof child === "string" ? plainly(child) : child));
  return element;
}

// A word as the shell would read it.
function quoted(word) {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : "'" + word.replaceAll("'", "'\\''") + "'";
}

const commandLine = (args) => ["probity", ...args].map(quoted).join(" ");

function copyable(text, label = "Copy") {
  const code = make("code", text), button = make("button.copy", label);
  button.type = "button";
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      const range = document.createRange();
      range.selectNodeContents(code);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      button.textContent = "Selected";
    }
    setTimeout(() => { button.textContent = label; }, 1500);
  });
  return make("div.command", code, button);
}

// The seconds that the module foresees for its work, where it ended early for that; null where it foresaw nothing.
function foreseen(answer) {
  const told = /would take (\d+) s of processor time/.exec(answer.err);
  return told === null ? null : Number(told[1]);
}

const minutes = (seconds) => seconds < 120 ? `${Math.round(seconds)} s` : seconds < 7200 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 3600)} hours`;

const spent = (milliseconds) => milliseconds < 1000 ? Math.round(milliseconds) + " ms" : (milliseconds / 1000).toFixed(1) + " s";

// The one line of a refusal, without the program's name.
const reason = (answer) => answer.err.replace(/^\r?.*\r/, "").trim().replace(/^probity: /, "");

async function showModule() {
  const place = document.getElementById("hash");
  try {
    const {hash} = await engine.loaded;
    if (hash === null) return;
    place.textContent = hash === place.dataset.stated ? "as recomputed in this tab" : "NOT the one recomputed in this tab: " + hash;
    if (hash !== place.dataset.stated) place.className = "wrong";
  } catch (error) {
    place.textContent = "the module could not be started in this browser: " + error.message;
    place.className = "wrong";
  }
}
