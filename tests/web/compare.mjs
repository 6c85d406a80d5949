// SPDX-License-Identifier: MIT
// Every answer of the module is that of the command, byte for byte: standard output, standard error and exit status.
//   compare.mjs BUILD [LOSSES [GROUP [VALUES]]]      certificates and dossiers of tests/vectors, forged ones, the corpus of the fuzzers, parameters chosen, words
//                                           on mechanisms, and LOSSES random questions
// The forged ones are edits of its own (forgeries) and those that the suite wrote into BUILD/web/forged (tests/edits.h). An edit that the command
// accepts must be true: its delta is held against that of loss.
import {execFile, execFileSync, spawnSync} from "node:child_process";
import crypto from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import {fileURLToPath} from "node:url";
import {load} from "./module.mjs";
import {sealed} from "./sealed.mjs";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const [, , build, losses = "300", only = "", wideValues = 1] = process.argv;
const command = path.resolve(build, "probity"), module = path.resolve(build, "web/probity.wasm");
// A question that takes the command longer than this is left out, and counted: the module would take minutes.
const MOST = 5000;

// ---- seeded choices -----------------------------------------------------------------------------

function stream(seed) {
  let block = Buffer.alloc(0), n = 0;
  return (below) => {
    if (block.length < 4) block = crypto.createHash("sha256").update(seed + ":" + n++).digest();
    const word = block.readUInt32LE(0);
    block = block.subarray(4);
    return word % below;
  };
}

// ---- certificates -------------------------------------------------------------------------------

// Moves the last digit of a number by one.
const moved = (text, by) => text.replace(/(\d)(?=(e|$))/, (d) => String(Math.min(9, Math.max(0, Number(d) + by))));

// Returns the edits that an attacker would try, each with a digest that fits.
function forgeries(text) {
  const json = JSON.parse(text), out = [];
  const forge = (change) => {
    const copy = JSON.parse(text);
    change(copy);
    out.push(sealed(copy));
  };
  if (json.format !== "probity-certificate") return [text.replace(/"epsilon": "1\/2"/, '"epsilon": "1/4"'), text.slice(0, -20)];
  forge((c) => { c.delta.hi = moved(c.delta.hi, -1); c.delta.lo = moved(c.delta.lo, -2); });
  forge((c) => { c.delta.lo = moved(c.delta.lo, 3); c.delta.hi = moved(c.delta.hi, 4); });
  forge((c) => { c.delta = {lo: "0", hi: "0"}; });
  forge((c) => { c.delta = {lo: "0", hi: "1"}; });
  forge((c) => { c.epsilon = c.epsilon === "1" ? "1/2" : "1"; });
  forge((c) => { c.spec = "geometric:eps=1/7"; });
  forge((c) => { c.version = 2; });
  forge((c) => { c.more = "text"; });
  if (json.accuracy) {
    forge((c) => { c.accuracy.gamma = "0"; });
    forge((c) => { c.accuracy.alpha = "1/1000"; });
  }
  out.push(text.replace('"version": 1', '"version":  1'), text.slice(0, text.length / 2), text.replace(/[0-9]/, "x"));
  return out;
}

function* documents() {
  const folder = path.join(root, "tests/vectors");
  for (const name of fs.readdirSync(folder).sort()) {
    if (!name.endsWith(".json")) continue;
    const text = fs.readFileSync(path.join(folder, name), "utf8"), files = {[name]: text};
    yield {args: ["verify", name], files, group: "genuine"};
    yield {args: ["verify", name, "--json"], files, group: "genuine"};
    for (const key of ["signed.pub", "dossier.pub"])
      if (JSON.parse(text).signature)
        yield {args: ["verify", name, "--key", key], files: {...files, [key]: fs.readFileSync(path.join(folder, key), "utf8")}, group: "genuine"};
    for (const [i, forged] of forgeries(text).entries())
      if (forged !== text) yield {args: ["verify", `forged-${i}.json`], files: {[`forged-${i}.json`]: forged}, group: "forged", edit: `${name}, edit ${i}`};
  }
}

// Those of the suite, each with a digest that fits (tests/certificate/resealed.c, tests/audit/dossier/resealed.c).
function* resealed() {
  const folder = path.resolve(build, "web/forged");
  for (const name of fs.existsSync(folder) ? fs.readdirSync(folder).sort() : [])
    yield {args: ["verify", name], files: {[name]: fs.readFileSync(path.join(folder, name), "utf8")}, group: "resealed", edit: name};
}

// A decimal as an integer of units of 1e-400.
function units(text) {
  const [, whole, fraction = "", exponent = "0"] = text.match(/^(\d+)(?:\.(\d+))?(?:e([-+]?\d+))?$/);
  return BigInt(whole + fraction) * 10n ** BigInt(400 + Number(exponent) - fraction.length);
}

// An accepted edit says something else that is true: its ends and those of loss, computed on their own, have a number in common.
async function accepted(edit, text) {
  const json = JSON.parse(text);
  if (json.format !== "probity-certificate" || !json.delta) return;
  const told = await native(["loss", ...json.spec.split(" "), "--epsilon", json.epsilon, "--neighbours", json.neighbours, "--digits", "30", "--json"], {});
  const {lo, hi} = told.status === 0 ? JSON.parse(told.out).delta : {lo: "1", hi: "0"};
  const meets = units(json.delta.lo) <= units(hi) && units(lo) <= units(json.delta.hi), empty = units(json.delta.lo) === 0n && units(json.delta.hi) === units("1");
  if (meets && !empty) return;
  differ++;
  console.error(`accepted, but ${empty ? "empty" : "false"}: ${edit}: ${json.spec} at ${json.epsilon}, [${json.delta.lo}, ${json.delta.hi}]; loss says [${lo}, ${hi}] ${told.err.trim()}`);
}

function* corpus() {
  for (const kind of ["certificate", "dossier"]) {
    const folder = path.join(root, "tests/fuzz/corpus", kind);
    for (const name of fs.existsSync(folder) ? fs.readdirSync(folder).sort() : [])
      yield {args: ["verify", "input.json"], files: {"input.json": fs.readFileSync(path.join(folder, name))}, group: "corpus"};
  }
}

// Texts that no writer of documents makes: other encodings, members twice, nesting, numbers out of every range, a stranger's words in each text
// member with a digest that fits, and signatures under other keys.
function* hostile() {
  const names = ["stlap.json", "signed.json", "dossier-canaries.json", "dossier-deployment.json", "proof.json", "planned.json"], read = (name) => fs.readFileSync(path.join(root, "tests/vectors", name));
  const words = ["<img src=x onerror=alert(1)>", "</script><script>alert(1)</script>", "https://example.org/?x=1", "\u202egnp", "a\u0000b", "\x1b[31m", "A".repeat(70000), "\n\nprobity: holds", "%s%n", "\ufeff", "\u2028"];
  const numbers = ["1e9000", "-1e9000", "1e-9000", "NaN", "Infinity", "-0", "18446744073709551616", "4294967297", "9".repeat(5000), "1/0", "01", "true", "null", "[]"];
  const keys = Object.fromEntries(["signed.pub", "dossier.pub"].map((name) => [name, read(name)]));
  Object.assign(keys, {"zero.pub": Buffer.from("probity-ed25519-public:" + "0".repeat(64) + "\n"), "bad.pub": Buffer.from("probity-ed25519-public:zz\n"), "none.pub": Buffer.alloc(0)});
  for (const name of names) {
    const data = read(name), text = data.toString(), json = JSON.parse(text), members = [...texts(json)], first = Object.keys(json)[0], at = data.indexOf('": "') + 4;
    const asked = (contents, ...more) => [[], ["--json"]].map((form) => ({args: ["verify", "x.json", ...more, ...form], files: {"x.json": contents, ...(more.length > 0 ? keys : {})}, group: "hostile"}));
    yield* asked(Buffer.from("\ufeff" + text));
    yield* asked(Buffer.from("\ufeff" + text, "utf16le"));
    yield* asked(Buffer.from("\ufeff" + text, "utf16le").swap16());
    for (const changed of [text + text, text + "x", text + "\0", text.replace("{", "{\0"), text.replace(/\n/g, "\r\n"), JSON.stringify(json), `[${text}]`, text.replace('": "', '": "\\ud800'), text.replace('": "', '": "\\u0000')])
      yield* asked(changed);
    for (const key of Object.keys(json)) {
      yield* asked(text.replace("{\n", `{\n  ${JSON.stringify(key)}: "x",\n`));
      for (const value of [undefined, null, 7, {}, []]) yield* asked(sealed({...json, [key]: value}));
    }
    for (const depth of [10, 2000, 100000]) yield* asked(JSON.stringify({...json, [first]: 0}).replace(`"${first}":0`, `"${first}":${"[".repeat(depth)}${"]".repeat(depth)}`));
    for (const [i, where] of members.entries()) yield* asked(sealed(put(json, where, words[i % words.length])));
    for (const number of numbers) {
      yield* asked(text.replace(/"version": \d+/, '"version": ' + number));
      for (const where of members.filter((w) => /^(epsilon|delta|lo|hi|rho|epsilon_lower)$/.test(w[w.length - 1])).slice(0, 3)) yield* asked(sealed(put(json, where, number)));
    }
    for (const bad of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]]) yield* asked(Buffer.concat([data.subarray(0, at), Buffer.from(bad), data.subarray(at)]));
    for (const key of Object.keys(keys)) yield* asked(text, "--key", key);
  }
}

// The places of all texts in a document, and the document with another text at one of them.
function* texts(value, place = []) {
  if (typeof value === "string") yield place;
  else if (value !== null && typeof value === "object") for (const key of Object.keys(value)) yield* texts(value[key], [...place, key]);
}
function put(json, place, text) {
  const copy = structuredClone(json);
  place.slice(0, -1).reduce((part, key) => part[key], copy)[place[place.length - 1]] = text;
  return copy;
}

// Numbers of more than 32 bits, which a long of WebAssembly does not hold.
function* wide() {
  for (const args of [["laplace:scale=1000000000000,grid=1", "--epsilon", "1/1000", "--beta", "5000000000000", "--support", "1"],
    ["geometric:eps=1/1000000000000", "--epsilon", "1/1000", "--beta", "30000000000000", "--support", "3"],
    ["krr:eps=1,k=3", "--epsilon", "1", "--records", "10000000000", "--beta", "1/1000"],
    ["rr:eps=1", "--epsilon", "1/2", "--records", "123456789012", "--beta", "1/100000"]])
    yield {certify: args, group: "wide"};
  for (const args of [["buckethist:eps=1/2,q=40,bound=4294967296,width=1,dimension=1"], ["buckethist:eps=1/2,q=40,bound=1024,width=1,dimension=6"]])
    yield {args: ["loss", ...args, "--epsilon", "1/2"], files: {}, group: "wide"};
  for (const records of ["10000000000", "9223372036854775807", "9223372036854775808"])
    yield {args: ["select", "buckethist", "--epsilon", "1", "--delta", "1e-6", "--records", records, "--bound", "100", "--alpha", "1/100"], group: "wide"};
  yield* widePlans();
  yield wideDeployment();
}

// A release plan whose numbers lie beyond 2^33. Its histogram is right. A sum of such numbers has another sensitivity than one from 0 to 100, of which
// only the lowest 32 bits of both ends are the same.
function* widePlans() {
  const low = 2 ** 33, file = path.join(folder, "plan.toml");
  const made = (from, statistic) => {
    fs.writeFileSync(file, `format = "probity-plan"\nversion = 1\n[unit]\nneighbours = "add-remove"\n[budget]\nepsilon = 1\n[columns.income]
low = ${from}\nhigh = ${from + 100}\nstep = 1\nmissing = "drop"\n[[statistics]]\nname = "x"\nof = "income"\n${statistic}\n`);
    return execFileSync(command, ["plan", "certify", file], {encoding: "utf8"});
  };
  const verified = (text, edit) => ({args: ["verify", "plan.json"], files: {"plan.json": text}, group: "wide", ...(edit ? {edit} : {})});
  yield verified(made(low, 'kind = "histogram"\nwidth = 50'));
  const sum = JSON.parse(made(0, 'kind = "sum"'));
  yield verified(sealed(sum));
  Object.assign(sum.plan.columns.income, {low: String(low), high: String(low + 100)});
  yield verified(sealed(sum), "a plan with a sum beyond 2^33");
}

// A dossier with a deployment of 10^9 periods, where a claim for all of them is beyond 2^32.
function wideDeployment() {
  const dossier = JSON.parse(fs.readFileSync(path.join(root, "tests/vectors/dossier-deployment.json"), "utf8")), file = path.join(folder, "deployment.json");
  dossier.plan.deployment.horizon.periods = "1000000000";
  dossier.plan.deployment.mechanisms[0].spec = "geometric:eps=20";
  dossier.plan.deployment.claims.forEach((claim) => { claim.epsilon = "20"; });
  fs.writeFileSync(file, JSON.stringify(dossier.plan.deployment));
  const {stdout} = spawnSync(command, ["deployment", "check", file, "--json"], {encoding: "utf8"}), told = JSON.parse(stdout);
  if (!told.notices.some((notice) => notice.includes("20000000000"))) throw new Error("no number beyond 2^32: " + stdout);
  Object.assign(dossier.deployment, {claims: told.claims, notices: told.notices, not_covered: told.not_covered});
  return {args: ["verify", "wide.json"], files: {"wide.json": sealed(dossier)}, group: "wide"};
}

// Each parameter of each family with numbers beyond 32 bits: an answer is the command's, and so is a refusal.
function* beyond(families) {
  const random = stream("numbers beyond 32 bits"), all = [31, 32, 33, 40, 53, 62, 63, 64, 100].flatMap((n) => [-1n, 0n, 1n].map((d) => 2n ** BigInt(n) + d));
  const specs = families.flatMap((family) => family.examples).flatMap((spec) => [...spec.matchAll(/=(-?[0-9./]+)(?=,|$)/g)].map((m) => [spec.slice(0, m.index + 1), spec.slice(m.index + m[0].length)]));
  for (const [before, after] of specs)
    for (let i = 0; i < wideValues; i++)
      yield {args: ["loss", before + all[random(all.length)] + after, ...[["--epsilon", "1/2"], ["--delta", "1e-6"], ["--order", "2"]][random(3)]], files: {}, group: "beyond", longest: 1000};
}

// ---- questions ------------------------------------------------------------------------------------

// A family's example with other numbers: every rational value may become another of about its size.
function varied(example, random) {
  return example.replace(/=(\d+)(\/\d+)?(?=,|$)/g, (all, above, below) => {
    if (random(3) === 0) return all;
    const a = Math.max(1, Number(above) + random(5) - 2), b = below ? Math.max(1, Number(below.slice(1)) + random(7) - 3) : 1;
    return "=" + a + (b === 1 ? "" : "/" + b);
  });
}

function question(random) {
  const rational = () => `${1 + random(12)}/${1 + random(8)}`;
  switch (random(8)) {
  case 0: case 1: case 2: return ["--epsilon", rational()];
  case 3: case 4: return ["--delta", `${1 + random(9)}e-${1 + random(11)}`];
  case 5: return ["--order", String(2 + random(9))];
  case 6: return ["--zcdp"];
  default: return ["--profile", `0:${rational()}:${3 + random(5)}`];
  }
}

function* questions(families, count) {
  const random = stream("losses of the module");
  for (let i = 0; i < count; i++) {
    const family = families[random(families.length)], specs = [varied(family.examples[random(family.examples.length)], random)];
    if (random(4) === 0) specs[0] = `${2 + random(9)}*${specs[0]}`;
    if (random(8) === 0) specs.push("geometric:eps=" + (1 + random(3)) + "/" + (2 + random(9)));
    const args = ["loss", ...specs, ...question(random)];
    if (random(2) === 0) args.push("--json");
    if (random(4) === 0) args.push("--digits", String(3 + random(30)));
    if (random(6) === 0) args.push("--neighbours", ["add-remove", "substitute", "local"][random(3)]);
    yield {args, files: {}, group: "loss"};
  }
}

// The playground asks this beside losses: the parameters within a budget, of each family that has a choice, and the words on each mechanism.
function* chosen(families) {
  for (const family of families.filter((f) => f.selects))
    for (const budget of [["--epsilon", "1", "--delta", "1e-6"], ["--rho", "1/2"], ["--mu", "1/2", "--uses", "3"]])
      yield {args: ["select", family.name, ...budget, "--json"], group: "select"};
  for (const family of families)
    for (const spec of family.examples) yield {args: ["explain", spec, "--json"], group: "explain"};
  yield {args: ["select", "buckethist", "--epsilon", "1", "--delta", "1e-6", "--records", "1000000", "--bound", "100", "--alpha", "1/100"], group: "select"};
}

// ---- the comparison ---------------------------------------------------------------------------------

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "probity-compare-"));
process.on("exit", () => fs.rmSync(folder, {recursive: true, force: true}));

function native(args, files, longest = MOST) {
  for (const [name, data] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), data);
  return new Promise((resolve) => {
    const begun = performance.now();
    execFile(command, args, {cwd: folder, timeout: 4 * longest, maxBuffer: 1 << 28}, (error, out, err) => {
      resolve({status: error ? error.code : 0, killed: Boolean(error && error.killed), out, err, milliseconds: performance.now() - begun});
    });
  });
}

const run = await load(module);
const counts = {}, times = {native: 0, module: 0};
let differ = 0;

// Numbers beyond 2^(2^30) and its inverse are rounded outwards in the module, whose MPFR has exponents of 32 bits: an enclosure of the command's lies within
// the module's, and there all else is the same. Ends as [mantissa, exponent of ten].
const FAR = 323228496;
const scientific = (text) => { const [m, e = "0"] = text.split("e"); return [m === "inf" ? Infinity : Number(m), m === "0" ? -Infinity : Number(e)]; };
const most = (a, b) => { const [x, y] = [scientific(a), scientific(b)]; return x[0] === 0 || y[0] === Infinity || x[1] < y[1] || (x[1] === y[1] && x[0] <= y[0]); };

function roundedOutwards(here, there) {
  const ends = (text) => [...text.matchAll(/\[([-+.e0-9]+), ([-+.e0-9]+|inf)\]/g)], bare = (text) => text.replace(/\[[-+.e0-9]+, [-+.e0-9inf]+\]/g, "[]");
  const a = ends(here), b = ends(there);
  const open = (text) => bare(text).replace(/: (holds|fails) here/g, ": undecided here");
  return (bare(here) === bare(there) || open(here) === bare(there)) && a.length === b.length && a.every(([all, lo, hi], i) => all === b[i][0] ||
    (Math.abs(scientific(lo)[1]) >= FAR && most(b[i][1], lo) && most(hi, b[i][2])));
}

async function compare({args, files = {}, group, certify = null, edit = null, longest = MOST}) {
  const count = counts[group] ||= {same: 0, left: 0, status: {}};
  if (certify) {
    const made = await native(["certify", ...certify], {});
    files = {"wide.json": made.out};
    args = ["verify", "wide.json"];
    if (made.status !== 0) throw new Error(`certify ${certify.join(" ")}: ${made.err}`);
  }
  const here = await native(args, files, longest);
  if (here.killed || here.milliseconds > longest) return void count.left++;
  const encoded = Object.fromEntries(Object.entries(files).map(([name, data]) => [name, typeof data === "string" ? new TextEncoder().encode(data) : new Uint8Array(data)]));
  const begun = performance.now(), there = await run(args, encoded);
  times.native += here.milliseconds;
  times.module += performance.now() - begun;
  count.status[here.status] = (count.status[here.status] || 0) + 1;
  if (edit && here.status === 0) await accepted(edit, files[args[1]]);
  if (here.status === there.status && here.out === there.out && here.err === there.err) return void count.same++;
  // A question that ends for want of memory or of longer numbers does so in other words, since the limits differ.
  if (group === "beyond" && here.status === 3 && there.status === 3 && there.err !== "") return void count.same++;
  if (group === "beyond" && here.status === 0 && there.status === 0 && roundedOutwards(here.out, there.out)) return void (count.wider = (count.wider || 0) + 1);
  differ++;
  console.error(`probity ${args.join(" ")}\n  command ${here.status}: ${(here.out + here.err).trim().slice(0, 400)}\n  module  ${there.status}: ${(there.out + there.err).trim().slice(0, 400)}`);
}

const families = JSON.parse((await native(["families"], {})).out).filter((family) => family.examples.length > 0);
for (const source of [documents(), resealed(), corpus(), hostile(), wide(), beyond(families), chosen(families), questions(families, Number(losses))])
  for (const item of source)
    if (only === "" || item.group === only) await compare(item);
for (const [group, count] of Object.entries(counts))
  console.log(`${group}: ${count.same} the same; by exit status ${JSON.stringify(count.status)}${count.wider ? `; ${count.wider} within, of numbers beyond 2^(2^30)` : ""}${count.left ? `; ${count.left} left out, too long` : ""}`);
console.log(`time: command ${(times.native / 1000).toFixed(1)} s, module ${(times.module / 1000).toFixed(1)} s`);
// A comparison of nothing would agree too.
if (only === "" && (!(counts.genuine.status[0] > 60) || !(counts.forged.status[1] > 300) || !(counts.resealed?.status[1] > 450) || !(counts.beyond.same > 150) || !(counts.beyond.status[0] > 50) || !(counts.hostile.status[1] > 900) || counts.select.same < 40 || counts.explain.same < 70 || counts.loss.same < 0.6 * Number(losses))) {
  console.error("compare: too little was compared");
  differ++;
}
process.exitCode = differ === 0 ? 0 : 1;
