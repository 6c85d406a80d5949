// SPDX-License-Identifier: MIT
// Drives the pages in a headless Chromium under file://, as a person would.     usage: pages.mjs BUILD [FOLDER for pictures [PART,...]]
import {execFileSync, spawnSync} from "node:child_process";
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import {fileURLToPath} from "node:url";
import {axe, obstacles} from "./axe.mjs";
import {browser} from "./browser.mjs";
import {sealed} from "./sealed.mjs";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const [, , build, pictures = path.join(build, "web/pictures"), only = ""] = process.argv;
const vector = (name) => ({name, data: fs.readFileSync(path.join(root, "tests/vectors", name))});
const text = (name, data) => ({name, data: Buffer.from(data)});
let failed = 0, passed = 0;

function expect(right, what) {
  if (right) passed++;
  else failed++;
  if (!right) console.error("pages: not so: " + what);
}

const settled = "document.querySelectorAll('.card').length > 0 && document.querySelectorAll('.busy').length === 0";
const cards = (page) => page.value(`Object.fromEntries([...document.querySelectorAll(".card")].map((c) =>
  [c.querySelector("h2").textContent, {verdict: c.querySelector(".verdict").textContent, text: c.innerText, svg: c.querySelectorAll("svg").length}]))`);
const fits = (page) => page.value("document.documentElement.scrollWidth <= innerWidth");
const checker = axe(build);

// Behind everything else that is asked of a page: axe adds to it.
async function accessible(page, name) {
  if (checker === null) return;
  const found = await obstacles(page, checker);
  expect(found.length === 0, `${name}: axe finds nothing: ${found.join("; ")}`);
}

async function open(chromium, page, options) {
  const opened = await chromium.open(path.join(build, "web", page), options);
  return opened;
}

// Documents that hold, at two widths, light and dark.
async function verified(chromium) {
  const names = ["stlap.json", "composition.json", "signed.json", "dossier-2.json", "dossier-canaries.json", "dossier-deployment.json", "deployment-result.json", "deployed.json"];
  // A dossier that is right may say that claims are not kept.
  const verdicts = {"dossier-2.json": "recomputed: 2 claims refuted", "dossier-canaries.json": "recomputed: 2 claims refuted", "dossier-deployment.json": "recomputed: 1 claim not kept",
    "deployment-result.json": "recomputed: 3 claims open"};
  for (const [width, dark] of [[1200, false], [400, false], [1200, true], [400, true]]) {
    const page = await open(chromium, "verify.html", {width, dark});
    await page.drop("#drop", names.map(vector));
    await page.until(`document.querySelectorAll(".card").length === ${names.length} && ${settled}`);
    const found = await cards(page);
    for (const name of names) expect(found[name].verdict === (verdicts[name] || "holds"), `${name} is right: ${found[name].verdict}`);
    expect(found["stlap.json"].svg === 2 && found["stlap.json"].text.includes("1.4726618650060221601e-05"), "a certificate has two pictures and its numbers");
    expect(found["stlap.json"].text.includes("by the direct sum over outcomes"), "the route is told");
    expect(found["dossier-2.json"].text.includes("refuted") && found["dossier-2.json"].text.includes("inconclusive"), "a dossier's verdicts are told");
    expect(found["dossier-deployment.json"].text.includes("epsilon 182.5, claimed 0.5") && found["dossier-deployment.json"].text.includes("not covered by any claim: the number of open clinics"),
      "the claims of a deployment are told: " + found["dossier-deployment.json"].text);
    expect(found["deployment-result.json"].text.includes("rho 0.0728, claimed 0.0728"), "the claims of a deployment are judged: " + found["deployment-result.json"].text);
    expect(found["deployed.json"].text.includes("those of the deployment google-mobility: its signer says so"), "a certificate's deployment: " + found["deployed.json"].text);
    await page.drop("#drop", [vector("proof.json")]);
    await page.until(`document.querySelectorAll(".card").length === ${names.length + 1} && ${settled}`);
    const receipt = (await cards(page))["proof.json"];
    expect(receipt.verdict === "signed, not proved again" && receipt.text.includes("the digest and the signature") && receipt.text.includes("probity prove DIR --against FILE"),
      "a receipt's digest and signature are checked, and not its proof: " + receipt.verdict + receipt.text);
    expect(await fits(page), `nothing is cut at ${width} px`);
    expect((await page.value("document.getElementById('hash').textContent")) === "as recomputed in this tab", "the module's digest is recomputed");
    expect(page.complaints.length === 0, "no complaint: " + page.complaints.join("; "));
    await page.shot(path.join(pictures, `verify-${width}${dark ? "-dark" : ""}.png`));
    await accessible(page, `verify.html at ${width} px${dark ? ", dark" : ""}`);
  }
}

// A key that fits, and one that does not.
async function signed(chromium) {
  const page = await open(chromium, "verify.html");
  await page.drop("#drop", [vector("signed.json"), vector("signed.pub")]);
  await page.until(settled);
  expect((await cards(page))["signed.json"].verdict === "holds", "the signature is by that key");
  await page.drop("#drop", [vector("dossier.pub")]);
  await page.until(`document.querySelector(".verdict").textContent !== "holds" && ${settled}`);
  const found = (await cards(page))["signed.json"];
  expect(found.verdict === "does not hold" && found.text.includes("signature by"), "the signature is not by another key: " + found.text);
  expect(page.complaints.length === 0, "no complaint: " + page.complaints.join("; "));
}

// A key that is dropped while a document is being checked: the check without it is overtaken, however late it ends.
async function overtaken(chromium) {
  const page = await open(chromium, "verify.html"), slow = JSON.parse(vector("signed.json").data);
  await page.drop("#drop", [vector("signed.json")]);
  await page.drop("#drop", [vector("dossier.pub")]);
  await page.until(`!document.getElementById("key").hidden && ${settled}`);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const card = (await cards(page))["signed.json"];
  expect(card.verdict === "does not hold" && (await page.value("document.querySelectorAll('.card .lead').length")) === 2 && slow.signature,
    "the last check decides, and nothing of another is shown: " + card.verdict + card.text);
  expect(page.complaints.length === 0, "no complaint: " + page.complaints.join("; "));
}

// An envelope of DSSE around a statement of in-toto on one file, signed by a new key.
function signedStatement(name, data) {
  const type = "application/vnd.in-toto+json", digest = {sha256: crypto.createHash("sha256").update(data).digest("hex")};
  const payload = Buffer.from(JSON.stringify({_type: "https://in-toto.io/Statement/v1", subject: [{name, digest}],
    predicateType: "https://in-toto.io/attestation/test-result/v0.1", predicate: {result: "PASSED"}}) + "\n");
  const {publicKey, privateKey} = crypto.generateKeyPairSync("ed25519"), keyid = publicKey.export({format: "der", type: "spki"}).subarray(-32).toString("hex");
  const sig = crypto.sign(null, Buffer.concat([Buffer.from(`DSSEv1 ${type.length} ${type} ${payload.length} `), payload]), privateKey).toString("base64");
  return JSON.stringify({payload: payload.toString("base64"), payloadType: type, signatures: [{keyid, sig}]}, null, 2) + "\n";
}

// A signed statement with the files that it names, dropped at once or later, and with others; a dossier with its page and with another one.
async function beside(chromium) {
  const page = await open(chromium, "verify.html"), subject = "bar,count\n1,7\n";
  await page.drop("#drop", [text("envelope.json", signedStatement("subject.csv", subject)), text("notes.txt", "Dear auditor")]);
  await page.until(`document.querySelectorAll(".card").length === 2 && ${settled}`);
  let found = await cards(page);
  expect(found["envelope.json"].verdict === "holds" && found["envelope.json"].text.includes("not dropped"), "a statement without its file: " + found["envelope.json"].text);
  expect(found["notes.txt"].verdict === "cannot be checked", "a file that no statement names has its sentence");
  await page.drop("#drop", [text("subject.csv", subject)]);
  await page.until(`document.body.innerText.includes("the same bytes") && ${settled}`);
  expect(Object.keys(await cards(page)).length === 2, "a file that a statement names needs no card");
  await page.drop("#drop", [text("subject.csv", subject + "x")]);
  await page.until(`document.body.innerText.includes("its SHA-256 is") && ${settled}`);
  expect((await cards(page))["envelope.json"].verdict === "does not hold", "another file of that name");
  await page.drop("#drop", [vector("dossier-2.json"), text("dossier.html", "<!DOCTYPE html><p>another page")]);
  await page.until(`document.querySelectorAll(".card").length === 3 && ${settled}`);
  found = await cards(page);
  expect(found["dossier-2.json"].verdict === "does not hold" && found["dossier-2.json"].text.includes("the page beside it is not"), "a dossier with another page: " + found["dossier-2.json"].text);
  await page.drop("#drop", [vector("dossier-deployment.json")]);
  await page.until(`document.querySelectorAll(".card").length === 4 && ${settled}`);
  expect((await cards(page))["dossier-deployment.json"].verdict === "recomputed: 1 claim not kept", "the page of one dossier is not held against another");
  await page.value(`document.querySelector("#drop").dispatchEvent(new DragEvent("drop", {dataTransfer: new DataTransfer(), bubbles: true, cancelable: true}))`);
  await page.until(`document.body.innerText.includes("No file was dropped")`);
  expect(page.complaints.length === 0, "no complaint: " + page.complaints.join("; "));
}

// Whatever is dropped gets a sentence.
async function refused(chromium) {
  const genuine = vector("stlap.json").data.toString();
  const cases = [
    [text("notes.txt", "Dear auditor"), "cannot be checked", "is not JSON"],
    [text("list.json", "[1, 2]"), "cannot be checked", "no document of Probity"],
    [text("other.json", '{"format": "invoice", "version": 1}'), "cannot be checked", "has the format"],
    [text("newer.json", genuine.replace('"version": 1', '"version": 7')), "cannot be checked", "newer than this page"],
    [text("large.json", genuine + " ".repeat(1 << 20)), "cannot be checked", "too large"],
    [text("cut.json", genuine.slice(0, 200)), "cannot be checked", "is not JSON"],
    [text("image.png", Buffer.from([0x89, 0x50, 0xff, 0xfe, 0])), "cannot be checked", "is not text"],
    [text("empty.json", ""), "cannot be checked", "is empty"],
    [text("key", "probity-ed25519-secret:" + "00".repeat(32) + "\n"), "cannot be checked", "secret key"],
    [text("damaged.json", genuine.replace("1.4726618650060221602e-05", "1.4726618650060221603e-05")), "does not hold", "digest"],
    [text("lower.json", genuine.replace('"epsilon": "1/2"', '"epsilon": "1/3"')), "does not hold", ""],
    [text("<b>x<script>.json", "{"), "cannot be checked", "is not JSON"],
  ];
  for (const width of [1200, 400]) {
    const page = await open(chromium, "verify.html", {width});
    await page.drop("#drop", cases.map(([file]) => file));
    await page.until(`document.querySelectorAll(".card").length === ${cases.length} && ${settled}`);
    const found = await cards(page);
    for (const [file, verdict, words] of cases) {
      const card = found[file.name];
      expect(card && card.verdict === verdict && card.text.includes(words), `${file.name}: ${verdict}, ${words}: ${card && card.text}`);
    }
    expect(await fits(page), `no refusal is cut at ${width} px`);
    expect(page.complaints.length === 0, "no complaint: " + page.complaints.join("; "));
    await page.shot(path.join(pictures, `refused-${width}.png`));
    await accessible(page, `refusals at ${width} px`);
  }
}

// Whoever wrote a document may be hostile: it is text and no markup, it cannot stop the page, and it cannot turn a line around.
async function hostile(chromium) {
  const genuine = JSON.parse(vector("stlap.json").data), changed = (fields) => JSON.stringify({...genuine, ...fields});
  const nested = "[".repeat(100000) + "]".repeat(100000), statement = {mechanism: "m\u202e", words: "w".repeat(5000), epsilon: "1", delta: 7};
  const cases = [
    [text("markup.json", changed({spec: "<img src=x onerror=alert(1)></script><script>document.title='x'</script>"})), "does not hold", "<img src=x"],
    [text("turned\u202egnp.json", changed({spec: "stlap:eps=1/2\u0000\u2066"})), "does not hold", "\u27e8U+2066\u27e9"],
    [text("neighbours.json", changed({neighbours: "constructor"})), "does not hold", "neighbouring inputs: constructor."],
    [text("format.json", changed({format: "constructor"})), "cannot be checked", "has the format"],
    [text("inherited.json", changed({format: "__proto__"})), "cannot be checked", "has the format"],
    [text("__proto__", JSON.stringify(genuine)), "does not hold", "canonical"],
    [text("constructor", vector("stlap.json").data), "holds", "1.4726618650060221601e-05"],
    [text("digits.json", changed({epsilon: "1/" + "9".repeat(100000)})), "does not hold", "(100002 characters)"],
    [text("exponent.json", changed({epsilon: "1e999999999", delta: {lo: "1e-999999999", hi: "1"}})), "does not hold", ""],
    [text("kinds.json", changed({delta: {lo: {}, hi: "1"}, unit: [1]})), "does not hold", "no text"],
    [text("version.json", vector("stlap.json").data.toString().replace('"version": 1', '"version": 1e400')), "cannot be checked", "version is not a number"],
    [text("deep.json", `{"format": "probity-certificate", "version": 1, "a": ${nested}}`), "does not hold", "not JSON"],
    [text("receipt.json", `{"format": "probity-proof", "version": 2, "statement": ${nested}}`), "does not hold", "no text"],
    [text("receipt-2.json", JSON.stringify({format: "probity-proof", version: 2, statement})), "does not hold", "m\u27e8U+202E\u27e9"],
    [text("results.json", '{"format": "probity-dossier", "version": 2, "results": [null], "plan": null}'), "does not hold", "canonical"],
    [text("nul.json", JSON.stringify(genuine) + "\0"), "cannot be checked", "is not JSON"],
    [text("plan.json", '{"format": "probity-plan", "version": 1}'), "cannot be checked", "is a plan"],
    [text("ledger", "SQLite format 3\0"), "cannot be checked", "probity ledger show"],
    [text("page.html", "<!DOCTYPE html><p>"), "cannot be checked", "is a page"],
    [text("long.json", `{"format": "probity-dossier", "x": "${"y".repeat(1 << 22)}"}`), "cannot be checked", "version is not a number"],
  ];
  const page = await open(chromium, "verify.html", {width: 400});
  await page.drop("#drop", cases.map(([file]) => file));
  await page.until(`document.querySelectorAll(".card").length === ${cases.length} && ${settled}`);
  const found = await cards(page);
  for (const [file, verdict, words] of cases) {
    const card = found[file.name.replace("\u202e", "\u27e8U+202E\u27e9")];
    expect(card && card.verdict === verdict && card.text.includes(words), `${file.name}: ${verdict}, ${words}: ${card && card.verdict + " " + card.text.slice(0, 300)}`);
  }
  expect((await page.value("document.querySelectorAll('img, iframe, object, #cards script').length")) === 0, "no document becomes markup");
  expect((await page.value("document.title")) === "Verify a privacy certificate", "no document runs a script");
  expect(!/[\u202a-\u202e\u2066-\u2069]/.test(await page.value("document.body.textContent.replace(document.getElementById('module').textContent, '')")), "no sign turns a line around");
  expect(await fits(page), "nothing hostile is cut at 400 px");
  expect(page.complaints.length === 0, "no complaint: " + page.complaints.join("; "));
  await page.shot(path.join(pictures, "hostile-400.png"));
  await accessible(page, "hostile documents");
}

// A certificate whose check would take minutes is given up within seconds, with its estimate and a command for a desk.
async function tooLong(chromium) {
  const certificate = {...JSON.parse(vector("dgauss.json").data), epsilon: "1/1000000", spec: "dgauss:sigma2=8000000000000"}, begun = Date.now();
  const page = await open(chromium, "verify.html");
  await page.drop("#drop", [text("long.json", sealed(certificate))]);
  await page.until(settled);
  const card = (await cards(page))["long.json"], estimate = /would take about (\d+) (s|minutes|hours) or more/.exec(card.text);
  expect(card.verdict === "not checked" && estimate !== null && card.text.includes("This is no verdict"), "a long check is refused with its estimate: " + card.text);
  expect(/expect about \d+ (s|minutes) there, or more/.test(card.text) && card.text.includes("probity verify long.json --seconds "), "and with a command for a desk: " + card.text);
  console.log(`pages: a long check was given up after ${((Date.now() - begun) / 1000).toFixed(1)} s: ${estimate && estimate[0]}`);
  expect(page.complaints.length === 0, "no complaint: " + page.complaints.join("; "));
  await page.shot(path.join(pictures, "long.png"));
  await accessible(page, "a check that would take minutes");
}

// Documents that are too much for a tab: each gets a sentence, none takes the page along, and the next document is verified.
async function heavy(chromium) {
  const page = await open(chromium, "verify.html"), mib = 1 << 20;
  const cases = [
    // 50 MB of no JSON, of a certificate, and of a dossier, whose size is allowed.
    ["notes.txt", `["x".repeat(${50 * mib})]`, "cannot be checked", "is not JSON"],
    ["certificate.json", `['{"format": "probity-certificate", "version": 1, "spec": "', "x".repeat(${50 * mib}), '"}']`, "cannot be checked", "is too large: it has 50.0 MiB, and a certificate at most 1"],
    ["dossier.json", `['{"format": "probity-dossier", "version": 2, "plan": "', "x".repeat(${50 * mib}), '"}']`, "does not hold", ""],
    ["huge.bin", `Array(300).fill(new Uint8Array(${mib}))`, "cannot be checked", "is too large: it has 300 MiB, and no document of Probity more than 256"],
    // Each {} is 3 bytes here and more than 200 in the module, whose memory ends at 2 GiB.
    ["memory.json", `['{"format": "probity-dossier", "version": 2, "plan": [{}', ",{}".repeat(${16 * mib}), ']}']`, "not checked", "memory"],
  ];
  for (const [name, made, verdict, words] of cases) {
    const begun = Date.now();
    await page.dropMade("#drop", [{name, made}]);
    await page.until(`document.querySelector(".card h2")?.textContent === ${JSON.stringify(name)} && ${settled}`);
    const card = (await cards(page))[name];
    expect(card.verdict === verdict && card.text.includes(words), `${name}: ${verdict}, ${words}: ${card.verdict}: ${card.text.slice(0, 400)}`);
    console.log(`pages: ${name}, ${((Date.now() - begun) / 1000).toFixed(1)} s: ${card.text.split("\n").find((line) => line.endsWith("."))}`);
  }
  await page.drop("#drop", [vector("stlap.json")]);
  await page.until(`document.querySelector(".card h2")?.textContent === "stlap.json" && ${settled}`);
  expect((await cards(page))["stlap.json"].verdict === "holds", "the tab lives on and verifies the next document");
  expect(await fits(page), "no sentence is cut");
  expect(page.complaints.length === 0, "no complaint: " + page.complaints.join("; "));
  await page.shot(path.join(pictures, "heavy.png"));
}

async function byKeyboard(chromium) {
  const page = await open(chromium, "verify.html");
  const focused = () => page.value("document.activeElement.id");
  const met = [];
  for (let i = 0; i < 4 && met[met.length - 1] !== "forged"; i++) {
    await page.key("Tab");
    met.push(await focused());
  }
  expect(met.join() === "files,example,forged", "tab goes through what can be done: " + met.join());
  await page.key("Enter", "Enter", "\r");
  await page.until(settled);
  expect((await cards(page))["forged.json"].verdict === "does not hold", "the forged example does not hold");
  await page.value("document.getElementById('example').focus()");
  await page.key("Enter", "Enter", "\r");
  await page.until(`document.querySelectorAll(".card").length === 2 && ${settled}`);
  expect((await cards(page))["certificate.json"].verdict === "holds", "the example holds");
  await page.value("document.querySelector('input[type=range]').focus()");
  const before = await page.value("document.querySelector('output').textContent");
  await page.key("ArrowRight");
  expect((await page.value("document.querySelector('output').textContent")) !== before, "an arrow key reads the plot off");
  expect(page.complaints.length === 0, "no complaint: " + page.complaints.join("; "));
}

async function withoutScripts(chromium) {
  const page = await open(chromium, "verify.html", {scripts: false});
  await page.shot(path.join(pictures, "verify-scripts-off.png"));
  const {root: tree} = await page.send("DOM.getDocument", {depth: -1});
  expect(JSON.stringify(tree).includes("Scripts are off"), "a page without scripts says so");
}

// The playground: an example by one click, a refusal, the form, and a question that is cancelled.
async function playground(chromium) {
  for (const [width, dark] of [[1200, false], [400, false], [1200, true]]) {
    const page = await open(chromium, "loss.html", {width, dark});
    await page.value("document.querySelectorAll('#examples button')[1].click()");
    await page.until("document.querySelectorAll('#answer svg').length === 2 && document.querySelectorAll('.busy').length === 0");
    const answer = await page.value("document.getElementById('answer').innerText");
    expect(answer.includes("0.000212282087") && answer.includes("It fails here"), "the formula that fails is shown beside the loss: " + answer);
    expect(answer.includes("probity loss stlap:eps=1/2,tau=1/75,n=3000,bars=3 --epsilon 1/2") && answer.includes("probity.loss("), "command and Python");
    expect(answer.includes("(R, R+1) and (R+1, R)") || answer.includes("worst pair"), "the worst pair is told: " + answer);
    expect(await fits(page), `the playground fits ${width} px`);
    expect(page.complaints.length === 0, "no complaint: " + page.complaints.join("; "));
    await page.shot(path.join(pictures, `loss-${width}${dark ? "-dark" : ""}.png`));
    await accessible(page, `loss.html at ${width} px${dark ? ", dark" : ""}`);
  }
  const page = await open(chromium, "loss.html");
  const submit = (spec) => page.value(`document.getElementById("spec").value = ${JSON.stringify(spec)};
    document.getElementById("spec").dispatchEvent(new Event("input")); document.getElementById("form").requestSubmit()`);
  await submit("geometric:eps=1 --seconds 1");
  await page.until("document.getElementById('answer').innerText.includes('Specification --seconds: expected a mechanism')");
  await submit("geometric:eps=0");
  await page.until("document.getElementById('answer').innerText.includes(\"eps '0': expected\")");
  expect((await page.value("document.getElementById('answer').innerText")).includes("No answer"), "a refusal names the parameter");
  await page.value("const f = document.getElementById('family'); f.value = 'rr'; f.dispatchEvent(new Event('change'))");
  expect((await page.value("document.getElementById('spec').value")) === "rr:eps=1", "a family fills the specification");
  await page.value("const i = document.querySelector('#parameters input'); i.value = '2'; i.dispatchEvent(new Event('input'))");
  expect((await page.value("document.getElementById('spec').value")) === "rr:eps=2", "a field writes into the specification");
  await page.value("[...document.querySelectorAll('#examples button')].find((b) => b.textContent.includes('budget')).click()");
  await page.until("document.querySelector('#answer h2')?.textContent.startsWith('10*dgauss:sigma2=') && document.querySelectorAll('#answer svg').length === 1 && document.querySelectorAll('.busy').length === 0");
  const choice = await page.value("document.getElementById('answer').innerText"), native = JSON.parse(execFileSync(path.resolve(build, "probity"), ["select", "dgauss:sensitivity=1", "--epsilon", "1",
    "--delta", "1e-6", "--uses", "10", "--json"]));
  expect(choice.includes(native.choice.spec) && choice.includes(native.choice.delta.hi) && choice.includes(native.better.spec) && choice.includes(native.recipe.spec), "the choice is the command's: " + choice);
  expect(choice.includes("probity select dgauss:sensitivity=1 --epsilon 1 --delta 1e-6 --uses 10") && choice.includes("probity.select("), "command and Python of a choice: " + choice);
  expect(await fits(page), "a choice fits");
  await page.shot(path.join(pictures, "select-1200.png"));
  await page.value("[...document.querySelectorAll('#answer button')].find((b) => b.textContent.includes('loss of the choice')).click()");
  await page.until("document.querySelectorAll('#answer svg').length === 2 && document.querySelectorAll('.busy').length === 0");
  expect((await page.value("document.getElementById('answer').innerText")).includes(native.choice.delta.hi), "the loss of the choice is asked by one click");
  const offered = await page.value("[...document.getElementById('family').options].map((o) => o.value)");
  const registry = JSON.parse(execFileSync(path.resolve(build, "probity"), ["families"])).map((f) => f.name);
  expect(registry.length > 30 && registry.every((name) => offered.includes(name)), "every family is offered: " + registry.filter((name) => !offered.includes(name)).join());
  await page.value("document.getElementById('question').value = '--epsilon'; document.getElementById('question').dispatchEvent(new Event('change'))");
  await submit("900*dgauss:sigma2=77 900*laplace:scale=31 900*geometric:eps=1/91");
  await page.until("!document.getElementById('cancel').disabled");
  await page.value("document.getElementById('cancel').focus()");
  await page.key("Enter", "Enter", "\r");
  await page.until("document.getElementById('progress').textContent === 'cancelled'");
  expect((await page.value("document.activeElement.id")) === "compute", "a question can be cancelled, and the keyboard goes on from there");
  const narrow = await open(chromium, "loss.html", {width: 400});
  await narrow.value("document.querySelector('#examples button').click()");
  await narrow.until("document.querySelector('#answer .card') && document.querySelectorAll('.busy').length === 0");
  expect(await narrow.value("(document.getElementById('answer').getBoundingClientRect().top < innerHeight / 2)"), "an answer below the window is brought into it");
  expect(page.complaints.length === 0, "no complaint: " + page.complaints.join("; "));
}

// A page that holds its certificate, with scripts and without.
async function selfChecking(chromium) {
  const file = path.join(build, "web/pictures/certificate.html");
  execFileSync(path.resolve(build, "probity"), ["certify", "geometric:eps=1/3", "--epsilon", "1/5", "-o", file.replace(".html", ".json"), "--page", file, "--quiet"]);
  for (const width of [1200, 400]) {
    const page = await chromium.open(file, {width});
    await page.until(settled.replace(".card", "#cards .card") + " && document.getElementById('stated').hidden");
    const text = await page.value("document.getElementById('cards').innerText");
    expect(text.includes("holds") && text.includes("geometric:eps=1/3"), "the page recomputes what it holds: " + text);
    expect(await fits(page), `it fits ${width} px`);
    expect(page.complaints.length === 0, "no complaint: " + page.complaints.join("; "));
    await page.shot(path.join(pictures, `self-${width}.png`));
    await accessible(page, `a page that checks itself, at ${width} px`);
  }
  const page = await chromium.open(file, {scripts: false});
  await page.shot(path.join(pictures, "self-scripts-off.png"));
  const {root: tree} = await page.send("DOM.getDocument", {depth: -1});
  expect(JSON.stringify(tree).includes("Nothing of it was recomputed"), "without scripts it says that nothing was recomputed");
}

// A dossier of canaries and of a deployment that checks itself; forged ones, whose digests fit or not; without scripts. Its texts are a stranger's.
async function dossierPage(chromium) {
  const folder = path.join(build, "web/pictures/dossier"), write = (name, data) => fs.writeFileSync(path.join(folder, name), data), file = path.join(folder, "checked.html");
  fs.rmSync(folder, {recursive: true, force: true});
  fs.mkdirSync(folder);
  const numbers = (count, number) => Array.from({length: count}, (_, i) => number(i) + "\n").join("");
  write("in.txt", numbers(1000, (i) => 2 * i + 1));
  write("out.txt", numbers(1000, (i) => 2 * i - 1000));
  write("left", numbers(1500, (i) => Math.floor(i / 2) % 2));
  write("right", numbers(1400, (i) => Math.floor(i / 3) % 2));
  write("d.json", JSON.stringify({format: "probity-deployment", version: 1, name: "counts-of-visits", unit: {entity: "user", neighbours: "local"}, mechanisms: [{name: "m", spec: "rr:eps=1"}],
    claims: [{name: "c", kind: "pure", epsilon: "1"}, {name: "low", kind: "pure", epsilon: "1/4"}]}));
  write("plan.json", JSON.stringify({format: "probity-plan", version: 1, title: "Canaries <img src=x onerror=alert(1)>", scope: "</script><script>document.title = 'x'</script>", error: "1/100", deployment: "d.json",
    audits: [{name: "scores", claim: {epsilon: "1/2"}, canaries: {scores: ["in.txt", "out.txt"]}}, {name: "guesses", claim: {epsilon: "1"}, canaries: {guesses: {correct: 55, made: 100, canaries: 150}}},
      {name: "runs", claim: {epsilon: "1"}, canaries: {runs: {true_positive: 80, false_positive: 20, true_negative: 80, false_negative: 20}}}, {name: "outputs", claim: {deployment: "c"}, files: ["left", "right"]}]}));
  const {status} = spawnSync(path.resolve(build, "probity"), ["audit", "--dossier", ".", "--page", "checked.html"], {cwd: folder});
  expect(status === 1, "a claim is refuted");
  for (const width of [1200, 400]) {
    const page = await chromium.open(file, {width});
    await page.until(settled.replace(".card", "#cards .card") + " && document.getElementById('stated').hidden");
    const card = (await cards(page))["dossier.json"];
    expect(card.verdict === "recomputed: 1 claim refuted, 1 claim not kept", "the dossier is recomputed: " + card.verdict);
    expect(/scores\s+ε = 0.5\s+ε at least 4\.656\d+\s+refuted/.test(card.text) && /runs\s+ε = 1\s+ε at least 0\.7625\d+\s+consistent/.test(card.text) && card.text.includes("epsilon 1, claimed 1/4"),
      "canaries and deployment are told: " + card.text);
    expect((await page.value("document.title")) === "dossier.json" && (await page.value("document.querySelectorAll('img').length")) === 0, "its texts are no markup");
    expect(await fits(page), `it fits ${width} px`);
    expect(page.complaints.length === 0, "no complaint: " + page.complaints.join("; "));
    await page.shot(path.join(pictures, `dossier-${width}.png`));
    await accessible(page, `a dossier that checks itself, at ${width} px`);
  }
  const genuine = fs.readFileSync(file, "utf8"), held = /(id="document"[^>]*>)([^<]*)</.exec(genuine), document = Buffer.from(held[2], "base64").toString();
  const forge = async (name, text, words) => {
    expect(text !== document, name + " is another document");
    write("forged.html", genuine.replace(held[2], Buffer.from(text).toString("base64")));
    const page = await chromium.open(path.join(folder, "forged.html"));
    await page.until(settled.replace(".card", "#cards .card") + " && document.getElementById('stated').hidden");
    const card = (await cards(page))["dossier.json"];
    expect(card.verdict === "does not hold" && card.text.includes(words), `${name}: ${card.verdict}: ${card.text.slice(0, 300)}`);
  };
  const edited = (change) => {
    const json = JSON.parse(document);
    change(json);
    json.results = json.results.map((result) => JSON.parse(sealed(result)));
    return sealed(json);
  };
  await forge("an edited count", document.replace('"correct": 55', '"correct": 99'), "digest");
  await forge("a verdict that does not follow, sealed", edited((d) => { d.results[0].verdict.verdict = "consistent"; }), "verdict");
  await forge("another lower bound, sealed", edited((d) => { d.results[2].verdict.epsilon_lower = "3"; }), "epsilon_lower");
  await forge("a claim that is not kept, sealed", edited((d) => { d.deployment.claims[1].verdict = "holds"; }), "deployment");
  const off = await chromium.open(file, {scripts: false}), {root: tree} = await off.send("DOM.getDocument", {depth: -1}), told = JSON.stringify(tree);
  for (const words of ["Nothing of it was recomputed", "of 4 audits 1 refute their claim, 3 do not", "scores: claimed epsilon 0.5, delta 0; refuted", "Claim low of the deployment counts-of-visits: does not hold"])
    expect(told.includes(words), "without scripts a dossier says: " + words);
  await off.shot(path.join(pictures, "dossier-scripts-off.png"));
}

// A report that asks for its numbers again; one with a number changed and a row of the profile changed; one without scripts.
async function reports(chromium) {
  const file = path.join(build, "web/pictures/report.html"), forged = file.replace(".html", "-forged.html");
  execFileSync(path.resolve(build, "probity"), ["explain", "stlap:eps=1/2,q=40", "--report", file, "--self-checking"]);
  const marked = "document.getElementById('rechecked').className !== ''", summary = "document.getElementById('rechecked').innerText";
  for (const width of [1200, 400]) {
    const page = await chromium.open(file, {width});
    await page.until(marked);
    expect((await page.value(summary)).startsWith("6 of 6 answers were recomputed"), "a report's losses are recomputed: " + await page.value(summary));
    expect((await page.value("document.querySelectorAll('.again:not(.fails):not(.open)').length")) === 6, "each of them is marked");
    expect((await page.value("document.getElementById('hash').textContent")) === "as recomputed in this tab", "the module's digest is recomputed");
    expect(await fits(page), `a report fits ${width} px`);
    expect(page.complaints.length === 0, "no complaint: " + page.complaints.join("; "));
    await page.shot(path.join(pictures, `report-${width}.png`));
    await accessible(page, `a report at ${width} px`);
  }
  const genuine = fs.readFileSync(file, "utf8");
  const changed = genuine.replace(">[1.47266186e-05, 1.47266187e-05]<", ">[1.37266186e-05, 1.37266187e-05]<").replace("0.180256", "0.170256");
  expect(changed !== genuine, "the report was changed");
  fs.writeFileSync(forged, changed);
  const page = await chromium.open(forged);
  await page.until(marked);
  expect((await page.value(summary)).startsWith("2 of 6 answers on this page are NOT"), "a changed report is found out: " + await page.value(summary));
  const off = await chromium.open(file, {scripts: false});
  const {root: tree} = await off.send("DOM.getDocument", {depth: -1});
  expect(JSON.stringify(tree).includes("Nothing on this page was rechecked"), "without scripts a report says that nothing was rechecked");
}

fs.mkdirSync(pictures, {recursive: true});
const chromium = await browser();
try {
  const parts = [verified, signed, overtaken, beside, refused, hostile, tooLong, heavy, byKeyboard, withoutScripts, playground, selfChecking, dossierPage, reports];
  for (const part of parts.filter((p) => only === "" || only.split(",").includes(p.name))) await part(chromium);
} finally {
  await chromium.close();
}
console.log(`pages: ${passed} of ${passed + failed} as they should be; pictures in ${pictures}`);
process.exitCode = failed === 0 ? 0 : 1;
