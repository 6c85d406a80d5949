// SPDX-License-Identifier: MIT
// The package for npm, packed and unpacked as a user has it.      usage: package.mjs BUILD
import assert from "node:assert";
import {execFileSync, spawnSync} from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import {fileURLToPath, pathToFileURL} from "node:url";
import {pinned} from "./pinned.mjs";

const TYPESCRIPT = {folder: "typescript", name: "typescript", version: "5.9.3", lost: "the types of the package are not checked",
  sha512: "jl1vZzPDinLr9eUt3J/t7V6FgNEw9QjvBPdysz9KfQDD41fQrC2Y4vKQdiaUpFT4bXlb1RHhLpp8wtm6M5TgSw=="};

// The types of the unpacked package against a program that uses them, with the names of a browser and without; what it is given has those types.
// True if TypeScript is there.
async function typed(folder) {
  const packed = pinned(build, TYPESCRIPT);
  if (packed === null) return false;
  const unpacked = path.join(path.dirname(packed), "package"), compiler = path.join(unpacked, "lib/tsc.js");
  if (!fs.existsSync(compiler)) execFileSync("tar", ["-xzf", packed], {cwd: path.dirname(packed)});
  fs.mkdirSync(path.join(folder, "node_modules"));
  fs.renameSync(path.join(folder, "package"), path.join(folder, "node_modules/probity-verify"));
  fs.copyFileSync(path.join(root, "tests/web/typed.mts"), path.join(folder, "typed.mts"));
  for (const lib of ["es2022", "es2022,dom"]) {
    const args = [compiler, "--strict", "--noUnusedLocals", "--target", "es2022", "--module", "nodenext", "--lib", lib, "typed.mts"];
    const {status, stdout} = spawnSync(process.execPath, args, {cwd: folder, encoding: "utf8"});
    assert.equal(status, 0, `tsc --strict --lib ${lib}: ${stdout}`);
  }
  const {asked} = await import(pathToFileURL(path.join(folder, "typed.mjs"))), answers = await asked();
  assert.equal(answers.length, 7);
  for (const {lo, hi} of answers) assert.ok(typeof lo === "string" && typeof hi === "string");
  return true;
}

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
  const size = fs.statSync(path.join(folder, packed)).size, types = await typed(folder);
  console.log(`package: ${packed}, ${size} bytes, verifies and computes as the command does${types ? "; tsc --strict accepts its types" : ""}`);
} finally {
  fs.rmSync(folder, {recursive: true});
}
