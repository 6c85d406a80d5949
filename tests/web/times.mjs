// SPDX-License-Identifier: MIT
// Processor time of certificates by the command and in the module, for docs/performance.md.     usage: times.mjs BUILD
import {spawnSync} from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import {load} from "./module.mjs";

const [, , build] = process.argv, TIMES = 5;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "probity-times-")), file = path.join(folder, "c.json"), command = path.resolve(build, "probity");
const run = await load(path.join(build, "web/probity.wasm"));

// Milliseconds of processor time of a child process: what all children have used, before and after.
function native() {
  const script = `import resource, subprocess, sys
for _ in range(${TIMES}): subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
u = resource.getrusage(resource.RUSAGE_CHILDREN); print((u.ru_utime + u.ru_stime) * 1000 / ${TIMES})`;
  return Number(spawnSync("python3", ["-c", script, command, "verify", file], {encoding: "utf8"}).stdout);
}

async function inModule(data) {
  const before = process.cpuUsage();
  const {status} = await run(["verify", "c.json"], {"c.json": data});
  const {user, system} = process.cpuUsage(before);
  if (status !== 0) throw new Error("not verified");
  return (user + system) / 1000;
}

for (const [spec, epsilon] of [["stlap:eps=1/2,q=40", "1/2"], ["geometric:eps=1/3", "1/5"], ["dgauss:sigma2=1000000,sensitivity=30", "1/10"], ["gauss:sigma2=4,sample=1/50", "1/2"],
  ["stlap:eps=1/100,q=3000", "1/100"], ["noisymax:eps=1/2", "1/4"], ["4*dgauss:sigma2=100", "1"], ["1000*gauss:sigma2=400", "8"]]) {
  fs.writeFileSync(file, spawnSync(command, ["certify", spec, "--epsilon", epsilon], {encoding: "utf8"}).stdout);
  const data = new Uint8Array(fs.readFileSync(file)), cold = await inModule(data), warm = [];
  for (let i = 0; i < TIMES; i++) warm.push(await inModule(data));
  const round = (x) => x < 10 ? x.toFixed(1) : Math.round(x);
  console.log(`| \`${spec}\` | ${round(native())} | ${round(cold)} | ${round(Math.min(...warm))} |`);
}
fs.rmSync(folder, {recursive: true});
