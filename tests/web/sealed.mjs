// SPDX-License-Identifier: MIT
// Documents as a forger writes them: in canonical form, with their own digest.
import crypto from "node:crypto";

// One spelling for one content, as docs/certificate.md says.
function canonical(value, indent = "") {
  if (Array.isArray(value)) return value.length === 0 ? "[]" : `[\n${value.map((v) => indent + "  " + canonical(v, indent + "  ")).join(",\n")}\n${indent}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const fields = Object.keys(value).sort().map((key) => `${indent}  ${JSON.stringify(key)}: ${canonical(value[key], indent + "  ")}`);
  return `{\n${fields.join(",\n")}\n${indent}}`;
}

// The text of a document with a digest that fits, and no signature.
export function sealed(json) {
  const {digest, signature, ...rest} = json;
  rest.digest = "sha256:" + crypto.createHash("sha256").update(canonical(rest) + "\n").digest("hex");
  return canonical(rest) + "\n";
}
