// SPDX-License-Identifier: MIT
// The package for npm, packed and unpacked as a user has it.      usage: package.mjs BUILD
import assert from "node:assert";
import {execFileSync} from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import {fileURLToPath, pathToFileURL} from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../.."), build = path.resolve(process.argv[2]);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "probity-npm-"));
try {
  const packed = execFileSync("npm", ["pack", "--silent", "--offline", "--pack-destination", folder], {cwd: path.join(build, "web/npm"), encoding: "utf8"}).trim();
  execFileSync("tar", ["-xzf", packed], {cwd: folder});
  const {verify, loss, ProbityError} = await import(pathToFileURL(path.join(folder, "package/index.js")));
  const vector = (name) => fs.readFileSync(path.join(root, "tests/vectors", name), "utf8");
  const text = vector("signed.json"), command = path.join(build, "probity");
  assert.deepEqual(await verify(text), JSON.parse(execFileSync(command, ["verify", "--json"], {input: text, encoding: "utf8"})));
  assert.equal((await verify(JSON.parse(vector("stlap.json")))).holds, true);
  assert.equal((await verify(text, {key: vector("signed.pub")})).holds, true);
  assert.equal((await verify(text, {key: vector("dossier.pub")})).holds, false);
  assert.match((await verify(vector("stlap.json").replace("1/2", "1/3"))).reason, /./);
  for (const [spec, question, args] of [["stlap:eps=1/2,q=40", {epsilon: "1/2"}, ["--epsilon", "1/2"]], ["laplace:scale=2", {zcdp: true}, ["--zcdp"]],
    ["threshold:eps=1,T=20 geometric:eps=1/2", {delta: "1e-3"}, ["--delta", "1e-3"]]])
    assert.deepEqual(await loss(spec, question), JSON.parse(execFileSync(command, ["loss", ...spec.split(" "), ...args, "--json"], {encoding: "utf8"})));
  await assert.rejects(loss("geometric:eps=0", {epsilon: 1}), (e) => e instanceof ProbityError && e.status === 2 && e.message.includes("eps '0'"));
  await assert.rejects(loss("geometric:eps=1", {sigma: 1}), TypeError);
  console.log(`package: ${packed}, ${fs.statSync(path.join(folder, packed)).size} bytes, verifies and computes as the command does`);
} finally {
  fs.rmSync(folder, {recursive: true});
}
