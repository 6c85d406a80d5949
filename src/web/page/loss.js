// SPDX-License-Identifier: MIT
// The playground: a form out of the registry's description of the families, and the answers of `probity loss`, `select` and `explain`.
"use strict";

const LIMIT = 120, BESIDE = 60;  // seconds of an answer, and of a plot or the words beside it
const at = (id) => document.getElementById(id);
const families = JSON.parse(block("families"));

const EXAMPLES = [
  ["A count with geometric noise", "geometric:eps=1/2", "--epsilon", "1/4"],
  ["A formula that fails", "stlap:eps=1/2,tau=1/75,n=3000,bars=3", "--epsilon", "1/2"],
  ["100 rounds of Gaussian noise", "100*gauss:sigma2=400", "--delta", "1e-6"],
  ["Training on samples", "100*gauss:sigma2=4,sample=1/50", "--delta", "1e-5"],
  ["Randomised response", "rr:eps=1", "--epsilon", "1/2"],
  ["Laplace noise, R\u00e9nyi", "laplace:scale=2", "--order", "8"],
  ["zCDP of discrete Gaussian", "dgauss:sigma2=100", "--zcdp", ""],
  ["Two mechanisms composed", "3*geometric:eps=1/10 stlap:eps=1/2,q=40", "--epsilon", "1"],
  ["The least noise for a budget", "10*dgauss:sensitivity=1", "select", "1"],
];
const ASKED = {"--epsilon": ["epsilon", "1/2", "delta"], "--delta": ["delta", "1e-6", "epsilon"], "--order": ["order", "8", "renyi"], "--zcdp": [null, "", "rho"], "--mu": [null, "", "mu"],
  "select": ["epsilon", "1", "delta"], "select-rho": ["rho", "1/10", "rho"], "select-mu": ["mu", "1/2", "mu"]};
const NAMES = {delta: "delta", epsilon: "epsilon", renyi: "R\u00e9nyi divergence", rho: "rho", mu: "mu"};

let running = null;

// ---- the form -----------------------------------------------------------------------------------

const family = (name) => families.find((f) => f.name === name);

// The values that the last use of the specification gives.
function lastUse() {
  const text = at("spec").value.trim().split(/\s+/).pop() || "", parts = /^(\d+\*)?([a-z]+)(?::(.*))?$/.exec(text);
  if (parts === null) return null;
  const values = Object.fromEntries((parts[3] || "").split(",").filter((p) => p.includes("=")).map((p) => [p.slice(0, p.indexOf("=")), p.slice(p.indexOf("=") + 1)]));
  return {times: parts[1] ? parts[1].slice(0, -1) : "1", name: parts[2], values};
}

function field(parameter, value, need = parameter.required ? " (required)" : "") {
  const input = make("input.mono"), [meaning] = [parameter.meaning.replace(/^[^,]*, ?/, "")];
  Object.assign(input, {type: "text", value: value ?? "", spellcheck: false, autocomplete: "off"});
  input.dataset.name = parameter.name;
  input.addEventListener("input", writeSpec);
  return make("label", make("span", make("code", parameter.name), need, make("small.soft", " " + meaning)), input);
}

function showFamily() {
  const use = lastUse(), chosen = use && family(use.name);
  if (!chosen) {
    at("about").textContent = "";
    at("parameters").replaceChildren();
    return;
  }
  at("family").value = chosen.name;
  at("about").textContent = chosen.manual.filter((_, i) => i % 2 === 1)[0] || chosen.summary;
  const times = field({name: "uses", required: false, meaning: "uses, how often it is used: uses compose"}, use.times);
  times.querySelector("input").dataset.name = "";
  at("parameters").replaceChildren(...chosen.parameters.map((p) => field(p, use.values[p.name], selecting() && p.name === chosen.selects ? " (chosen)" : undefined)), times);
}

// The specification again, its last use as the fields say.
function writeSpec() {
  const inputs = [...at("parameters").querySelectorAll("input")];
  const values = inputs.filter((i) => i.dataset.name !== "" && i.value.trim() !== "").map((i) => i.dataset.name + "=" + i.value.trim());
  const times = inputs.find((i) => i.dataset.name === "").value.trim(), all = at("spec").value.trim().split(/\s+/);
  all[all.length - 1] = (times === "" || times === "1" ? "" : times + "*") + at("family").value + (values.length > 0 ? ":" + values.join(",") : "");
  at("spec").value = all.join(" ");
}

function chooseFamily() {
  const all = at("spec").value.trim().split(/\s+/);
  all[all.length - 1] = family(at("family").value).examples[0] || at("family").value;
  at("spec").value = all.join(" ");
  showFamily();
}

const selecting = () => at("question").value.startsWith("select");

function showQuestion(value) {
  const [name, usual] = ASKED[at("question").value];
  at("valued").hidden = name === null;
  at("within").hidden = at("question").value !== "select";
  at("asked").textContent = name || "";
  at("value").value = value ?? usual;
}

// ---- the answer ---------------------------------------------------------------------------------

function asked() {
  const question = at("question").value;
  return selecting() ? askedSelect(question) : askedLoss(question);
}

// The last use without the parameter that is chosen: "10*dgauss:sigma2=4,sensitivity=2" is dgauss:sensitivity=2, ten times.
function askedSelect(question) {
  const use = lastUse() || {times: "1", name: at("spec").value.trim(), values: {}}, chosen = family(use.name);
  const fixed = Object.entries(use.values).filter(([name]) => !chosen || name !== chosen.selects).map(([name, value]) => name + "=" + value);
  const relation = at("neighbours").value, name = ASKED[question][0], value = at("value").value.trim();
  const text = use.name + (fixed.length > 0 ? ":" + fixed.join(",") : ""), delta = at("delta").value.trim();
  const what = ["--" + name, value, ...(question === "select" && delta !== "" ? ["--delta", delta] : []), ...(use.times === "1" ? [] : ["--uses", use.times])];
  const common = relation ? ["--neighbours", relation] : [], digits = at("digits").value === "9" ? [] : ["--digits", at("digits").value];
  return {question, specs: [text], uses: use.times, common, what, args: ["select", text, ...what, ...common, ...digits]};
}

function askedLoss(question) {
  const specs = at("spec").value.trim().split(/\s+/).filter((s) => s !== "");
  const common = at("neighbours").value ? ["--neighbours", at("neighbours").value] : [];
  const what = ASKED[question][0] === null ? [question] : [question, at("value").value.trim()];
  return {question, specs, common, what, args: ["loss", ...specs, ...what, ...common, ...(at("digits").value === "9" ? [] : ["--digits", at("digits").value])]};
}

function pythonSelect(a) {
  const names = {"--epsilon": "epsilon", "--delta": "delta", "--rho": "rho", "--mu": "mu"}, options = [];
  for (let i = 0; i < a.what.length; i += 2) options.push(a.what[i] === "--uses" ? `uses=${Number(a.what[i + 1])}` : `${names[a.what[i]]}=${JSON.stringify(a.what[i + 1])}`);
  if (a.common.length > 0) options.push(`neighbours=${JSON.stringify(a.common[1])}`);
  return `import probity\nprint(probity.select(${JSON.stringify(a.specs[0])}, ${options.join(", ")}).spec)`;
}

function python(a) {
  if (a.question.startsWith("select")) return pythonSelect(a);
  const name = ASKED[a.question][0], relation = at("neighbours").value;
  const options = [a.question === "--zcdp" ? "xi=0" : a.question === "--mu" ? "mu=True" : `${name}=${JSON.stringify(a.what[1])}`];
  if (relation) options.push(`neighbours=${JSON.stringify(relation)}`);
  if (at("digits").value !== "9") options.push(`digits=${at("digits").value}`);
  return `import probity\nprint(probity.loss(${JSON.stringify(a.specs.join(" "))}, ${options.join(", ")}))`;
}

const words = (v) => v.lo === v.hi ? ["is exactly ", make("code", v.lo)] : ["lies between ", make("code", v.lo), " and ", make("code", v.hi)];

// The choice of select, and why nothing better would do.
function toldChoice(a, json) {
  const key = ASKED[a.question][2];
  const load = Object.assign(make("button", "Ask for the loss of the choice"), {type: "button"});
  load.addEventListener("click", () => {
    const question = {select: "--epsilon", "select-rho": "--zcdp", "select-mu": "--mu"}[a.question];
    ask(json.choice.spec, question, question === "--epsilon" ? a.what[1] : "");
  });
  return make("div", make("p.lead", make("code", json.choice.spec), ` suffices: its ${NAMES[key]} `, ...words(json.choice[key]), ` (${json.neighbours} neighbours).`),
    json.better ? make("p", json.exceeds ? "One step less exceeds the budget. " : "One step less is not shown to suffice. ",
      json.monotone === "not known" ? "Others were tried at doubling distances, not one by one." : `Everything beyond it does so too: ${json.monotone}.`) : null,
    json.source ? make("p.note", "Published recipe: ", json.source, ".") : null, make("p", load));
}

// The choice, the candidate that is one step better, and what the published recipe would choose.
function table(a, json) {
  const key = ASKED[a.question][2], rows = [["chosen", json.choice], ["one step better", json.better], ["published recipe", json.recipe]].filter(([, x]) => x);
  return make("div.scroll", make("table", make("thead", make("tr", ...["", "mechanism", NAMES[key] + " from", "to"].map((t) => make("th", t)))), make("tbody",
      ...rows.map(([label, x]) => make("tr", make("td", label), make("td", make("code", x.spec)), make("td", x[key] ? x[key].lo : ""), make("td", x[key] ? x[key].hi : ""))))));
}

function told(a, json) {
  const key = ASKED[a.question][2], value = json[key], parts = [];
  parts.push(make("p.lead", `${NAMES[key]} `, ...words(value), ` (${json.neighbours} neighbours).`));
  const rows = [{label: "computed in this tab", ...value, kind: "found"}];
  if (json.claimed) {
    const c = json.claimed, lo = c.lo ?? (c.value && c.value.lo), hi = c.hi ?? (c.value && c.value.hi);
    if (lo !== undefined) rows.unshift({label: "published formula", lo, hi, kind: "claimed"});
    const verdict = {holds: "It holds here", fails: "It fails here", undecided: "It is undecided here"}[json.claimed.here] || "";
    parts.push(make("p" + (c.here === "fails" ? ".note.warn" : ".note"), "Published formula: ", c.source || "", lo === undefined ? "" : `, from ${lo} to ${hi}`, ". ",
      verdict, verdict ? (c.refuted ? ", and is refuted in general." : ".") : ""));
  }
  const drawn = rows.some((r) => r.lo === "inf" || r.hi === "inf") ? null : enclosures(rows);
  if (drawn) parts.push(make("figure", drawn, make("figcaption", "The true value lies between the two ends of the bar.")));
  return make("div", ...parts);
}

function progress(begun) {
  at("progress").textContent = `computing, ${Math.round((performance.now() - begun) / 1000)} s`;
}

// The worst pair of each mechanism of the question, in words.
async function showPairs(specs, common, place, signal) {
  place.replaceChildren(make("h3", "The worst pair of inputs"));
  for (const spec of new Set(specs)) {
    const waiting = make("p.busy", "asking for the worst pair");
    place.append(waiting);
    const answer = await engine.ask(["explain", spec, ...common, "--json"], {seconds: BESIDE, signal});
    if (answer.status !== 0) {
      waiting.replaceWith(make("p.note", make("code", spec), answer.status === "late" ? ` takes more than ${BESIDE} s here.` : answer.status === "cancelled" ? ": cancelled." : ": " + reason(answer) + "."));
      continue;
    }
    const json = JSON.parse(answer.out);
    waiting.replaceWith(make("div", make("p", specs.length > 1 ? make("code", spec + " ") : null, (json.worst_pair || "none is told") + "."),
      make("p.soft", `Neighbours: ${json.neighbours.meaning}. ${json.what}`)));
  }
}

async function drawProfile(a, json, place, signal) {
  const eps = json.epsilon && json.epsilon.hi !== undefined ? json.epsilon.hi : json.epsilon;
  const centre = typeof eps === "string" && eps !== "inf" ? approximately(eps) : 1, end = Number((2 * Math.max(centre, 0.05)).toPrecision(4));
  const args = ["loss", ...a.specs, ...a.common, "--profile", `0:${end}:41`, "--digits", "6"];
  place.replaceChildren(make("p.busy", "computing the profile"));
  const answer = await engine.ask([...args, "--json"], {seconds: BESIDE, signal});
  if (answer.status === 0)
    place.replaceChildren(profile(JSON.parse(answer.out).profile, null, "The privacy profile: the delta of each epsilon."));
  else
    place.replaceChildren(make("p.note", answer.status === "late" ? `The profile takes more than ${BESIDE} s here.` : answer.status === "cancelled" ? "The profile was cancelled." : "No profile: " + reason(answer) + "."));
}

function commands(a) {
  return make("div", make("h3", "The same elsewhere"), copyable(commandLine(a.args)), copyable(python(a)),
    ...(a.question.startsWith("select") ? [] : [...new Set(a.specs)].map((spec) => copyable(commandLine(["explain", spec, ...a.common])))));
}

function noAnswer(...children) {
  at("answer").replaceChildren(make("section.card.open", make("header", make("h2", "No answer")), make("div", ...children)));
}

// An answer that begins below the window is brought into it.
function reveal() {
  const place = at("answer");
  if (place.getBoundingClientRect().top > innerHeight - 160) place.scrollIntoView({block: "start"});
}

async function compute() {
  if (running) running.abort();
  const mine = running = new AbortController(), a = asked(), place = at("answer"), begun = performance.now();
  const option = a.specs.find((spec) => spec.startsWith("-"));
  if (option !== undefined) {
    at("progress").className = at("progress").textContent = "";
    at("cancel").disabled = true;
    noAnswer(make("p.lead", "Specification ", make("code", option), ": expected a mechanism such as stlap:eps=1/2,q=40; options are chosen above."));
    return reveal();
  }
  const ticking = setInterval(() => progress(begun), 500);
  const over = (text) => {
    clearInterval(ticking);
    if (running !== mine) return;
    at("progress").className = "";
    at("progress").textContent = text;
    if (document.activeElement === at("cancel")) at("compute").focus();
    at("cancel").disabled = true;
  };
  at("cancel").disabled = false;
  at("progress").className = "busy";
  progress(begun);
  const answer = await engine.ask([...a.args, "--json"], {seconds: LIMIT, signal: mine.signal});
  if (running !== mine) return void clearInterval(ticking);
  if (answer.status === "cancelled") return over("cancelled");
  if (answer.status !== 0) {
    noAnswer(make("p.lead",
      answer.status === "late" ? `It ${answer.foreseen === null ? `takes more than ${LIMIT} s` : `would take about ${minutes(answer.foreseen)} or more`} in a browser. At a desk it is about 3 times as fast:` : reason(answer) + "."),
      ...(answer.status === 2 ? [] : [copyable(commandLine(a.args))]));
    reveal();
    return over("");
  }
  const json = JSON.parse(answer.out), curve = make("div"), pair = make("div"), chosen = a.question.startsWith("select");
  place.replaceChildren(make("section.card.holds", make("header", make("h2", chosen ? json.choice.spec : json.spec), make("span.time", spent(answer.milliseconds))),
    make("div", make("div.columns", (chosen ? toldChoice : told)(a, json), curve), chosen ? table(a, json) : null, pair, commands(a))));
  reveal();
  const about = chosen ? {...a, specs: [json.choice.spec]} : a;
  await Promise.all([drawProfile(about, json, curve, mine.signal), showPairs(about.specs, a.common, pair, mine.signal)]);
  over("");
}

function ask(spec, question, value) {
  at("spec").value = spec;
  at("question").value = question;
  at("neighbours").value = "";
  showFamily();
  showQuestion(value);
  compute();
}

function begin() {
  at("family").append(...families.filter((f) => f.examples.length > 0).map((f) => Object.assign(make("option", `${f.name}: ${f.summary}`), {value: f.name})));
  at("examples").append(...EXAMPLES.map((example) => {
    const button = Object.assign(make("button", example[0]), {type: "button"});
    button.addEventListener("click", () => ask(...example.slice(1)));
    return button;
  }));
  at("family").addEventListener("change", chooseFamily);
  at("add").addEventListener("click", () => {
    at("spec").value += " " + (family(at("family").value).examples[0] || at("family").value);
    showFamily();
  });
  at("spec").addEventListener("input", showFamily);
  at("question").addEventListener("change", () => {
    showQuestion();
    showFamily();
  });
  at("form").addEventListener("submit", (event) => { event.preventDefault(); compute(); });
  at("cancel").addEventListener("click", () => { if (running) running.abort(); });
  at("spec").value = "stlap:eps=1/2,q=40";
  showFamily();
  showQuestion("1/2");
  showModule();
  // A link from elsewhere may ask for an example: loss.html?example=2.
  const linked = EXAMPLES[Number(new URLSearchParams(location.search).get("example")) - 1];
  if (linked !== undefined) ask(...linked.slice(1));
}

begin();
