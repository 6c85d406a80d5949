// SPDX-License-Identifier: MIT
// The page that verifies: a card for each document, with the claim, the recomputation, and what a browser cannot check.
"use strict";

// Seconds of a check, of the numbers beside it, and of a plot. A desk is faster by about the factor below (docs/performance.md).
const LIMIT = 60, NUMBERS = 30, CURVE = 30, DESK = 3;
const families = JSON.parse(block("families"));
const files = Object.create(null);  // whatever was dropped, by name: subjects of a statement are looked for here
const documents = [];               // {name, bytes, card} of those that are verified
let key = null;        // {name, text}

const NEIGHBOURS = {
  "add-remove": "one has one record more than the other",
  "substitute": "one record of the one differs from the other's",
  "local": "any two values of one user",
};

// A long text of a stranger's, cut; a field of another kind is none.
const MOST = 400;
const brief = (text) => typeof text !== "string" ? "no text" : text.length <= MOST ? text : `${text.slice(0, MOST)}\u2026 (${text.length} characters)`;

const neighboursOf = (json) => Object.hasOwn(NEIGHBOURS, json.neighbours) ? NEIGHBOURS[json.neighbours] : brief(json.neighbours);

const say = (text) => { document.getElementById("status").textContent = plainly(text); };

// ---- a card -----------------------------------------------------------------------------------

// A document may be checked again before its last check has ended, with a key: begin() gives each check a body of its own, and one that is
// overtaken says nothing any more.
function card(name) {
  const verdict = make("span.verdict.busy", "checking"), time = make("span.time");
  const element = make("section.card", make("header", make("h2", name), verdict, time), make("div"));
  element.setAttribute("aria-label", name);
  let last = null;
  function begin() {
    const body = last = make("div");
    element.lastChild.replaceWith(body);
    element.className = "card";
    verdict.className = "verdict busy";
    verdict.textContent = "checking";
    time.textContent = "";
    return {body, end: (...told) => { if (body === last) end(...told); }};
  }
  function end(kind, text, milliseconds) {
    element.className = "card " + kind;
    verdict.className = "verdict";
    verdict.textContent = text;
    time.textContent = milliseconds === undefined ? "" : spent(milliseconds);
    say(`${name}: ${text}`);
  }
  return {element, begin};
}

const listed = (items) => make("ul", ...items.map((item) => make("li", ...[].concat(item))));

function refused(view, sentence, advice) {
  view.body.append(make("p.lead", sentence), ...(advice ? [advice] : []));
  view.end("open", "cannot be checked");
}

// ---- the mechanism in words ---------------------------------------------------------------------

// "3*geometric:eps=1/10 stlap:eps=1/2,q=40" as [{times, name, text, summary}].
function uses(spec) {
  return spec.split(" ").map((text) => {
    const parts = /^(?:(\d+)\*)?([a-z]+)/.exec(text) || [];
    const family = families.find((f) => f.name === parts[2]);
    return {text, times: parts[1] || "1", name: parts[2], summary: family ? family.summary : null};
  });
}

function mechanism(spec) {
  if (spec.length > MOST) return "a long list of mechanisms";
  const all = uses(spec), words = all.map((u) => (u.times === "1" ? "" : `${u.times} times `) + (u.summary || u.name || u.text));
  return (all.length > 1 ? "together: " : "") + words.join("; ");
}

const between = (delta) => delta.lo === delta.hi ? ["exactly ", make("code", brief(delta.lo))]
  : delta.lo === "0" ? ["at most ", make("code", brief(delta.hi))] : ["between ", make("code", brief(delta.lo)), " and ", make("code", brief(delta.hi))];

// The value that a certificate of version 2 encloses, as {name, given, lo, hi}: rho, a Renyi divergence or mu.
function enclosed(json) {
  const c = json.claim || {}, name = Object.keys(c).find((n) => c[n] && typeof c[n].hi === "string");
  if (name === undefined || typeof json.spec !== "string") return null;
  const given = c.kind === "renyi" ? `of order ${c.order}` : c.kind === "zcdp" && c.xi !== "0" ? `with xi = ${c.xi}` : "";
  const words = {rho: "\u03c1 of zero-concentrated differential privacy", mu: "\u03bc of Gaussian differential privacy"}[name] || "R\u00e9nyi divergence";
  return {words: (words + " " + given).trim(), ...c[name]};
}

function otherClaim(json, value) {
  return make("p.lead", "Claimed: the mechanism ", make("code", brief(json.spec)), ` (${mechanism(json.spec)}) has a ${value.words} `, ...between(value),
    `, for neighbouring inputs: ${neighboursOf(json)}.`);
}

function claim(json) {
  const unit = json.unit ? `all records of one user (${brief(json.unit)}) may differ` : neighboursOf(json);
  return make("p.lead", "Claimed: the mechanism ", make("code", brief(json.spec)), ` (${mechanism(json.spec)}) is (\u03b5, \u03b4)-differentially private at \u03b5 = `,
    make("code", brief(json.epsilon)), " with \u03b4 ", ...between(json.delta), `, for neighbouring inputs: ${unit}.`);
}

// ---- a certificate ------------------------------------------------------------------------------

const common = (json) => [...json.spec.split(" "), "--neighbours", json.neighbours];

// The verifier's lines behind "checked".
function checked(text) {
  const at = text.indexOf("checked  ");
  return at < 0 ? [] : text.slice(at + 7).split("\n").map((line) => line.trim().replace(" (give --key to require one)", ", whoever that is")).filter((line) => line !== "");
}

function unchecked(json) {
  const items = [];
  if (json.signature && key === null)
    items.push("Who signed it: its signature is valid, but anybody can make a key. Drop the public key of the one whom you expect.");
  else if (!json.signature) items.push("Who wrote it: it has no signature. The numbers above do not depend on that.");
  if (json.proof) items.push("The proof that its receipt names: only digest and signature were checked. probity verify --prove DIR proves it again.");
  if (json.theorem) items.push("The theorem of Coq that it names: probity verify --coq FILE.v compiles it.");
  if (json.deployment)
    items.push(`That the mechanisms are those of the deployment ${brief(json.deployment.name)}: its signer says so. probity verify --deployment FILE compares its file.`);
  items.push("That a release was in fact made by this mechanism, on data of this kind, and no other release besides it.");
  items.push("The versions under computed_with, which are its author's statement.");
  return items;
}

async function numbers(json) {
  const answer = await engine.ask(["loss", ...common(json), "--epsilon", json.epsilon, "--digits", "24", "--json"], {seconds: NUMBERS});
  if (answer.status !== 0)
    return make("p.note", answer.status === "late" ? `To show the recomputed number takes more than ${NUMBERS} s here.` : "No number to show: " + reason(answer) + ".");
  const found = JSON.parse(answer.out).delta;
  const drawn = enclosures([{label: "claimed", ...json.delta, kind: "claimed"}, {label: "recomputed in this tab", ...found, kind: "found"}]);
  const same = json.delta.lo === json.delta.hi ? json.delta.lo.length : shared(json.delta.lo, json.delta.hi);
  const zoom = same > 3 && json.delta.lo !== json.delta.hi ? ` The scale is that of the last digits: the first ${same} characters of both ends are the same.` : "";
  return make("figure", drawn, make("figcaption", "Delta lies between the two ends of each bar." + zoom));
}

async function curve(json) {
  const at = approximately(json.epsilon), end = at > 0 ? Number((2 * at).toPrecision(6)) : 2;
  const asked = ["loss", ...common(json), "--profile", `0:${end}:41`, "--digits", "6"];
  const answer = await engine.ask([...asked, "--json"], {seconds: CURVE});
  if (answer.status === "late")
    return make("div", make("p.note", `Its profile takes more than ${CURVE} s here. At a desk:`), copyable(commandLine([...asked, "--plot", "profile.svg"])));
  if (answer.status !== 0) return make("p.note", "No profile to show: " + reason(answer) + ".");
  const mark = at >= 0 ? {epsilon: json.epsilon, lo: json.delta.lo, hi: json.delta.hi} : null;
  return profile(JSON.parse(answer.out).profile, mark, "The privacy profile: delta for each epsilon, recomputed here. The red ring is the certificate's point.");
}

function figures(json) {
  const places = [make("div"), make("div")];
  const fill = async (place, busy, work) => {
    place.append(make("p.busy", busy));
    place.replaceChildren(await work(json).catch((error) => make("p.note", "No picture: " + error.message + ".")));
  };
  fill(places[0], "recomputing delta to 24 digits", numbers);
  fill(places[1], "computing the profile", curve);
  return make("div.columns", ...places);
}

async function certificate(view, json, args, given, name) {
  const answer = await engine.ask(args, {files: given, seconds: LIMIT});
  const value = enclosed(json);
  if (value !== null) {
    view.body.append(otherClaim(json, value));
    if (answer.status !== 0) return other(view, answer, name);
    const drawn = enclosures([{label: "claimed", lo: value.lo, hi: value.hi, kind: "claimed"}]);
    view.body.append(make("h3", "Recomputed here"), listed(checked(answer.out)), ...(drawn ? [make("figure", drawn)] : []),
      make("h3", "Not checked here"), listed(unchecked(json)), words(answer));
    return view.end("holds", "holds", answer.milliseconds);
  }
  if (typeof json.spec !== "string" || typeof json.epsilon !== "string" || !json.delta || typeof json.delta.hi !== "string")
    return other(view, answer, name);
  view.body.append(claim(json));
  if (answer.status !== 0) return other(view, answer, name);
  view.body.append(make("h3", "Recomputed here"), listed(checked(answer.out)), figures(json),
    make("h3", "Not checked here"), listed(unchecked(json)), words(answer));
  view.end("holds", "holds", answer.milliseconds);
}

const words = (answer) => make("details", make("summary", "The verifier's own words"), make("pre", (answer.out + answer.err).trim()));

// A check that does not end here: with the estimate that it began with, or where it had none, the time after which it was stopped.
function late(answer, name) {
  const known = answer.foreseen !== null, seconds = known ? Math.max(answer.foreseen, LIMIT) : LIMIT, desk = Math.ceil(seconds / DESK);
  return [make("p.lead", known ? `It would take about ${minutes(seconds)} or more in this tab, which gives a check ${LIMIT} s, and was not finished. This is no verdict.`
    : `It was stopped after ${LIMIT} s: to recompute it in a browser takes longer. This is no verdict.`),
  make("p", `At a desk the same work is about ${DESK} times as fast, so expect ${known ? "about" : "more than"} ${minutes(desk)} there${known ? ", or more" : ""}:`),
  copyable(commandLine(["verify", filed(name), "--seconds", String(Math.max(600, 4 * desk))]))];
}

// Whatever is not a confirmation: false, stopped, or not possible.
function other(view, answer, name) {
  if (answer.status === 1) {
    view.body.append(make("p.lead", "It does not hold: " + reason(answer) + "."),
      make("p", "Do not rely on it. Either it was changed after it was written, or what it claims is not shown."), words(answer));
    return view.end("fails", "does not hold", answer.milliseconds);
  }
  if (answer.status === "late")
    view.body.append(...late(answer, name));
  else
    view.body.append(make("p.lead", "It could not be checked: " + reason(answer) + ". This is no verdict."),
      make("p", "At a desk there may be more memory and time:"), copyable(commandLine(["verify", filed(name), "--seconds", "600", "--memory", "8GiB"])), words(answer));
  view.end("open", "not checked", answer.milliseconds);
}

// ---- other documents ----------------------------------------------------------------------------

const VERDICTS = {violation: ["refuted", "bad"], consistent: ["consistent", "good"], inconclusive: ["inconclusive", "care"]};

function verdictOf(verdict) {
  for (const field of ["verdict", "result", "holds"])
    if (typeof verdict[field] === "string") return verdict[field];
  return verdict.violation === true ? "violation" : verdict.violation === false ? "consistent" : "";
}

function audits(json) {
  const rows = (json.results || []).map((r) => {
    const v = r.verdict || {}, c = v.claim || {}, told = verdictOf(v), word = Object.hasOwn(VERDICTS, told) ? VERDICTS[told] : [told, ""];
    return make("tr", make("td", r.audit || ""), make("td", `\u03b5 = ${c.epsilon ?? "?"}` + (c.delta && c.delta !== "0" ? `, \u03b4 = ${c.delta}` : "")),
      make("td", v.epsilon_lower ? `\u03b5 at least ${v.epsilon_lower}` : ""), make("td" + (word[1] ? "." + word[1] : ""), word[0]));
  });
  const missing = (json.not_run || []).map((r) => make("tr", make("td", r.audit || ""), make("td", ""), make("td", r.reason || ""), make("td.care", "not run")));
  return make("div.scroll", make("table", make("thead", make("tr", ...["audit", "claimed", "shown by the counts", "verdict"].map((t) => make("th", t)))),
    make("tbody", ...rows, ...missing)));
}

// The claims of a deployment that a dossier states, as they were judged again from its mechanisms.
function deployment(json) {
  const told = json.deployment, verdicts = {"holds": "good", "does not hold": "bad", "open": "care"};
  if (told === undefined || told === null || !Array.isArray(told.claims)) return [];
  const rows = told.claims.map((c) => make("tr", make("td", brief(c.name)), make("td", brief(c.reason)), make("td" + (Object.hasOwn(verdicts, c.verdict) ? "." + verdicts[c.verdict] : ""), brief(c.verdict))));
  const notes = [...(told.notices || []), ...(told.not_covered || []).map((t) => `not covered by any claim: ${t}`)];
  return [make("h3", "Claims of the deployment"), make("p", make("code", brief(told.name)), ": judged again here from the mechanisms that it states."),
    make("div.scroll", make("table", make("thead", make("tr", ...["claim", "reason", "verdict"].map((t) => make("th", t)))), make("tbody", ...rows))),
    ...(notes.length > 0 ? [listed(notes.map(brief))] : [])];
}

async function dossier(view, json, args, given, name) {
  const answer = await engine.ask(args, {files: given, seconds: LIMIT});
  if (answer.status !== 0) return other(view, answer, name);
  const title = json.plan && json.plan.title ? `\u201c${json.plan.title}\u201d` : "an audit";
  view.body.append(make("p.lead", `Claimed: the verdicts of ${title}, made ${json.made || "at an unknown time"}, on what was claimed of its mechanisms.`), audits(json), ...deployment(json),
    make("h3", "Recomputed here"), listed(checked(answer.out)),
    make("h3", "Not checked here"), listed(["The counts: a browser cannot run the audited programs. Whoever has them repeats the audit with probity audit.",
      "The plan, names, dates and versions, which are its author's statements.",
      json.signature && key === null ? "Who signed it: drop the public key of the one whom you expect." : null].filter((x) => x !== null)), words(answer));
  const bad = unkept(json);
  view.end(bad === "" ? "holds" : "open", bad === "" ? "holds" : "recomputed: " + bad, answer.milliseconds);
}

// A dossier that is right may say that claims are not kept: nobody is to take its "holds" for theirs.
const counted = (n, what) => n === 0 ? [] : [`${n} claim${n === 1 ? "" : "s"} ${what}`];
const judged = (described, verdict) => described && Array.isArray(described.claims) ? described.claims.filter((c) => c.verdict === verdict).length : 0;
function unkept(json) {
  const refuted = json.results.filter((r) => verdictOf(r.verdict || {}) === "violation").length;
  return [...counted(refuted, "refuted"), ...counted(judged(json.deployment, "does not hold"), "not kept")].join(", ");
}

async function judgement(view, json, args, given, name) {
  const answer = await engine.ask(args, {files: given, seconds: LIMIT});
  if (answer.status !== 0) return other(view, answer, name);
  const told = json.judgement, left = [...counted(judged(told, "does not hold"), "not kept"), ...counted(judged(told, "open"), "open")].join(", ");
  view.body.append(make("p.lead", "Claimed: which published claims the mechanisms of a deployment keep."), ...deployment({deployment: told}),
    make("h3", "Recomputed here"), listed(checked(answer.out)),
    make("h3", "Not checked here"), listed(["That what is deployed is what the file says: its mechanisms, unit, bounds and dates are its author's statements.",
      json.signature && key === null ? "Who signed it: drop the public key of the one whom you expect." : null].filter((x) => x !== null)), words(answer));
  view.end(left === "" ? "holds" : "open", left === "" ? "holds" : "recomputed: " + left, answer.milliseconds);
}

async function statement(view, json, args, given, name) {
  const answer = await engine.ask([...args, "--json"], {files: given, seconds: LIMIT});
  if (answer.status !== 0) return other(view, answer, name);
  const told = JSON.parse(answer.out);
  view.body.append(make("p.lead", "Claimed: a signed statement of the type ", make("code", told.predicate_type), ` on ${told.subjects.length} file${told.subjects.length === 1 ? "" : "s"}.`),
    make("div.scroll", make("table", make("thead", make("tr", make("th", "file"), make("th", "SHA-256"), make("th", "here"))), make("tbody",
      ...told.subjects.map((s) => make("tr", make("td", s.name), make("td", make("code", s.sha256)), s.here ? make("td.good", "the same bytes") : make("td.care", "not dropped")))))),
    make("h3", "Recomputed here"), listed(["The signature, by the key " + told.signer + (key ? ", which is the one you gave." : "."), "The SHA-256 of the files that were dropped too."]),
    make("h3", "Not checked here"), listed(["What the statement says of the files.", key ? null : "Whose key that is: drop the public key of the one whom you expect."].filter((x) => x !== null)));
  view.end("holds", "holds", answer.milliseconds);
}

// Form, digest and signature of a receipt are checked here; the proof is not.
async function receipt(view, json, args, given, name) {
  const answer = await engine.ask(args, {files: given, seconds: LIMIT});
  const said = json.statement !== null && typeof json.statement === "object" ? json.statement : {};
  view.body.append(make("p.lead", "Claimed: the sources of the mechanism ", make("code", brief(said.mechanism)), " were proved (\u03b5, \u03b4)-differentially private by probity prove, at \u03b5 = ",
    make("code", brief(said.epsilon)), " and \u03b4 = ", make("code", brief(said.delta)), "."), make("p", brief(said.words)));
  if (answer.status !== 0) return other(view, answer, name);
  view.body.append(make("h3", "Recomputed here"), listed(checked(answer.out)),
    make("h3", "Not checked here"), listed(["The proof: it needs the sources, Frama-C and its provers. probity prove DIR --against FILE proves them again.",
      json.signature ? key === null ? "Who signed it: its signature is valid, but anybody can make a key. Drop the public key of the one whom you expect." : null
        : "Who wrote it: it has no signature, and all that it states, anybody could have written."].filter((x) => x !== null)), words(answer));
  view.end("open", json.signature ? "signed, not proved again" : "not proved again", answer.milliseconds);
}

const KIND_OF = {"probity-certificate": certificate, "probity-dossier": dossier, statement, "probity-proof": receipt, "probity-deployment-result": judgement};

// ---- files --------------------------------------------------------------------------------------

// The files that a document is held against: a statement's subjects, of all that were dropped, and the page that was dropped with a dossier.
const PAGE = "dossier.html";
const besides = (item) => [...item.subjects, ...(item.page ? [PAGE] : [])];
const beside = (item) => Object.fromEntries([...item.subjects.filter((name) => name in files).map((name) => [name, files[name]]), ...(item.page ? [[PAGE, item.page]] : [])]);

async function check(item) {
  const view = item.card.begin();
  const found = classify(item.name, item.bytes);
  if (found.refusal) return refused(view, found.refusal);
  const given = {...beside(item), [item.name]: item.bytes}, args = ["verify", item.name];
  if (key !== null) {
    const name = item.name + ".signer";
    given[name] = new TextEncoder().encode(key.text);
    args.push("--key", name);
  }
  try {
    await KIND_OF[found.kind](view, found.json, args, given, item.name);
  } catch (error) {
    refused(view, "The page failed: " + error.message);
  }
}

function setKey(name, text) {
  key = {name, text};
  const note = document.getElementById("key"), drop = make("button", "Forget it");
  drop.type = "button";
  drop.addEventListener("click", () => {
    key = null;
    note.hidden = true;
    documents.forEach(check);
  });
  note.replaceChildren(plainly(`Every document must be signed with the key of ${name}: `), make("code", text.trim().split(":")[1]), " ", drop);
  note.hidden = false;
}

// A name with signs that nobody sees is not put into a command.
const filed = (name) => /[\p{C}\u2028\u2029]/u.test(name) ? "FILE" : name;

// Names with a folder or an odd sign would confuse the module's options.
const plain = (name) => name.replace(/^.*[\\/]/, "").replace(/^-+/, "") || "file";

// A file as {name, bytes, kind}, or with a sentence why it has no bytes.
async function readFile(file) {
  const name = plain(file.name), none = new Uint8Array(0);
  if (file.size > KINDS["probity-dossier"].most)
    return {name, bytes: none, subjects: [], unread: `${name} is too large: it has ${Math.round(file.size / MIB)} MiB, and no document of Probity more than 256.`};
  try {
    const bytes = new Uint8Array(await file.arrayBuffer()), found = classify(name, bytes);
    return {name, bytes, kind: found.kind, text: found.kind === "key" ? found.text : null, subjects: found.kind === "statement" ? subjectsOf(found.json) : []};
  } catch (error) {
    return {name, bytes: none, subjects: [], unread: `${name} could not be read: it is a folder, or it changed meanwhile (${error.name}).`};
  }
}

// The names of the files that a signed statement is about; the signature is not looked at here.
function subjectsOf(json) {
  try {
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(json.payload), (c) => c.charCodeAt(0)))).subject.map((s) => s.name).filter((name) => typeof name === "string");
  } catch {
    return [];
  }
}

function show(item) {
  item.card = card(item.name);
  document.getElementById("cards").prepend(item.card.element);
  if (item.unread) refused(item.card.begin(), item.unread);
  else documents.push(item);
}

async function take(dropped) {
  const added = [];
  let again = new Set();
  for (const file of dropped) {
    const item = await readFile(file);
    if (item.kind === "key") {
      setKey(item.name, item.text);
      again = new Set(documents);
    } else {
      added.push(item);
    }
    if (!item.unread) files[item.name] = item.bytes;
  }
  const page = added.find((item) => item.name === PAGE && !item.unread);
  if (page) added.filter((item) => item.kind === "probity-dossier").forEach((item) => { item.page = page.bytes; });
  if (dropped.length === 0) show({name: "Nothing", subjects: [], unread: "No file was dropped. Drag one from a folder, or choose it."});
  // A file that is no document needs no card of its own if a document asks for it; that one is checked again.
  for (const item of added) {
    const asking = item.unread ? [] : [...documents, ...added].filter((d) => besides(d).includes(item.name));
    asking.filter((d) => documents.includes(d)).forEach((d) => again.add(d));
    if (asking.length === 0 || item.kind !== "other") show(item);
  }
  if (documents.length === 0 && key !== null) say("Key kept. Drop the document that it signed.");
  for (const item of documents.filter((d) => added.includes(d) || again.has(d))) await check(item);
}

function example(forged) {
  let text = block("sample");
  if (forged) text = text.replace(/"hi": "1\.4726618650060221602e-05"/, '"hi": "1.4726618650060221601e-05"').replace(/"lo": "[^"]*"/, '"lo": "1.4726618650060221600e-05"');
  take([new File([text], forged ? "forged.json" : "certificate.json")]);
}

function begin() {
  const drop = document.getElementById("drop"), chosen = document.getElementById("files");
  const over = (on) => (event) => { event.preventDefault(); drop.classList.toggle("over", on); };
  for (const place of [document.documentElement]) {
    place.addEventListener("dragover", over(true));
    place.addEventListener("dragleave", over(false));
    place.addEventListener("drop", (event) => { over(false)(event); take(Array.from(event.dataTransfer.files)); });
  }
  chosen.addEventListener("change", () => { take(Array.from(chosen.files)).then(() => { chosen.value = ""; }); });
  document.getElementById("example").addEventListener("click", () => example(false));
  document.getElementById("forged").addEventListener("click", () => example(true));
  showModule();
  const held = document.getElementById("document");
  if (held !== null) recheck(held);
}

// A page that holds a document (certify --page): what it says stays on the page until it has been recomputed.
async function recheck(held) {
  const bytes = Uint8Array.from(atob(held.textContent), (c) => c.charCodeAt(0)), stated = document.getElementById("stated");
  document.title = held.dataset.name;
  document.getElementById("cards").after(document.getElementById("drop"));
  stated.querySelector(".verdict").textContent = "being recomputed";
  await take([new File([bytes], held.dataset.name)]);
  stated.hidden = true;
}

begin();
