// SPDX-License-Identifier: MIT
// verify(document) and loss(spec, question), for node and browsers. src/web/page/wasi.js stands behind these lines in the package.

let compiled = null;

async function bytes() {
  const url = new URL("./probity.wasm", import.meta.url);
  if (url.protocol !== "file:") return (await fetch(url)).arrayBuffer();
  const {readFile} = await import("node:fs/promises");
  return readFile(url);
}

// The module, compiled once. A caller that has its bytes elsewhere gives them here, before the first question.
export function load(source = null) {
  compiled ||= Promise.resolve(source ?? bytes()).then((data) => WebAssembly.compile(data));
  return compiled;
}

// Why a question has no answer: `status` is 2 for a bad question and 3 for one that took too much time or memory.
export class ProbityError extends Error {
  constructor(answer) {
    super(answer.err.trim().replace(/^probity: /, ""));
    this.name = "ProbityError";
    this.status = answer.status;
  }
}

const encoded = (data) => typeof data === "string" ? new TextEncoder().encode(data) : data;

export async function verify(document, {key = null, seconds = 60} = {}) {
  const text = typeof document === "object" && !(document instanceof Uint8Array) ? JSON.stringify(sorted(document), null, 2) + "\n" : document;
  const files = {"document.json": encoded(text)}, args = ["verify", "document.json", "--json"];
  if (key !== null) {
    files["signer.pub"] = encoded(key);
    args.push("--key", "signer.pub");
  }
  const answer = await run(await load(), args, files, seconds);
  if (answer.status > 1) throw new ProbityError(answer);
  return JSON.parse(answer.out);
}

// A certificate has one spelling: keys in order, two blanks a level.
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.keys(value).sort().map((name) => [name, sorted(value[name])]));
}

const QUESTIONS = {epsilon: "--epsilon", delta: "--delta", order: "--order", profile: "--profile"};

export async function loss(spec, question, {neighbours = null, digits = null, group = null, width = null, seconds = 60} = {}) {
  const args = ["loss", ...spec.trim().split(/\s+/)];
  for (const [name, value] of Object.entries(question)) {
    if (name === "zcdp" || name === "mu") args.push("--" + name);
    else if (name in QUESTIONS) args.push(QUESTIONS[name], String(value));
    else throw new TypeError(`question '${name}': expected epsilon, delta, order, zcdp, mu or profile`);
  }
  for (const [name, value] of Object.entries({neighbours, digits, group, width})) if (value !== null) args.push("--" + name, String(value));
  const answer = await run(await load(), [...args, "--json"], {}, seconds);
  if (answer.status !== 0) throw new ProbityError(answer);
  return JSON.parse(answer.out);
}

