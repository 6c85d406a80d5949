// SPDX-License-Identifier: MIT
// A file that was dropped: of what kind it is, or a sentence that says why it is of none.
"use strict";

const MIB = 1048576;
const KINDS = {
  "probity-certificate": {name: "certificate", newest: 2, most: MIB},
  "probity-dossier": {name: "dossier of an audit", newest: 2, most: 256 * MIB},
  "probity-proof": {name: "receipt of proofs", newest: 2, most: MIB},
  "probity-deployment-result": {name: "judgement of a deployment", newest: 1, most: 8 * MIB},
};
// Formats of Probity that are checked elsewhere, and a word on where.
const ELSEWHERE = {
  "probity-deployment": "a deployment, whose claims are judged at a desk, by probity deployment check",
  "probity-plan": "a plan, which is recomputed at a desk, by probity plan check",
  "probity-ledger": "an export of a ledger, which is read at a desk, by probity ledger show",
  "probity-trace": "a trace of a program, which is judged at a desk, by probity audit",
  "probity-audit-result": "the result of one audit; drop the dossier that it stands in",
};
const ENVELOPE = "application/vnd.in-toto+json";

const begins = (text) => {
  const start = text.trimStart().slice(0, 24).replace(/[^\x20-\x7e]/g, "\u00b7");
  return start === "" ? "is empty" : `begins with \u201c${start}\u201d`;
};

const isKey = (text) => /^probity-ed25519-public:[0-9a-f]{64}\s*$/.test(text);

// {kind, text, json} or {refusal}. A file whose kind is "key" is no document; one of kind "other" may be a subject of a statement.
function classify(name, bytes) {
  if (bytes.length === 0) return {kind: "other", refusal: `${name} is empty.`};
  if (bytes.length > KINDS["probity-dossier"].most)
    return {kind: "other", refusal: `${name} is too large: it has ${Math.round(bytes.length / MIB)} MiB, and no document of Probity more than 256.`};
  if (new TextDecoder("latin1").decode(bytes.subarray(0, 15)) === "SQLite format 3")
    return {kind: "other", refusal: `${name} is a database of SQLite. If it is a ledger, probity ledger show reads it at a desk.`};
  let text, json;
  try {
    text = new TextDecoder("utf-8", {fatal: true}).decode(bytes);
  } catch {
    return {kind: "other", refusal: `${name} is not text. A certificate is the JSON file that probity certify writes.`};
  }
  if (isKey(text)) return {kind: "key", text};
  if (/^probity-ed25519-secret:/.test(text))
    return {kind: "other", refusal: `${name} is a secret key. Keep it to yourself: a signature is checked with the file KEY.pub beside it.`};
  if (/^\s*<(!doctype|html)/i.test(text.slice(0, 200)))
    return {kind: "other", refusal: `${name} is a page, and no document. Open it in the browser: a page that holds a certificate recomputes it by itself.`};
  try {
    json = JSON.parse(text);
  } catch {
    return {kind: "other", refusal: `${name} is not JSON: it ${begins(text)}. It was cut off or changed, or it is another kind of file.`};
  }
  return {text, json, ...kindOf(name, bytes.length, json)};
}

function kindOf(name, size, json) {
  if (json === null || typeof json !== "object" || Array.isArray(json))
    return {kind: "other", refusal: `${name} is JSON, but no document of Probity: it holds no fields.`};
  if (json.payloadType === ENVELOPE) return {kind: "statement"};
  if (typeof json._type === "string" && json._type.includes("in-toto"))
    return {kind: "other", refusal: `${name} is a statement without a signature, which anybody could have written. Drop the signed one, its envelope.`};
  if (typeof json.format !== "string")
    return {kind: "other", refusal: `${name} is JSON, but no document of Probity: it has no field \u201cformat\u201d.`};
  if (Object.hasOwn(ELSEWHERE, json.format)) return {kind: "other", refusal: `${name} is ${ELSEWHERE[json.format]}.`};
  const known = Object.hasOwn(KINDS, json.format) ? KINDS[json.format] : undefined;
  if (known === undefined)
    return {kind: "other", refusal: `${name} has the format \u201c${json.format.slice(0, 40)}\u201d. This page reads ${Object.values(KINDS).map((k) => k.name + "s").join(", ")} and signed statements.`
      .replace("dossier of an audits", "dossiers of audits").replace("receipt of proofss", "receipts of proofs").replace("judgement of a deployments", "judgements of deployments")};
  if (size > known.most)
    return {kind: "other", refusal: `${name} is too large: it has ${(size / MIB).toFixed(1)} MiB, and a ${known.name} at most ${known.most / MIB}.`};
  if (!Number.isInteger(json.version))
    return {kind: "other", refusal: `${name} is damaged: its version is not a number.`};
  if (json.version > known.newest)
    return {kind: "other", refusal: `${name} is a ${known.name} of version ${json.version}, which is newer than this page: it reads versions up to ${known.newest}. Use the page or the command of a newer Probity.`};
  return {kind: json.format};
}
