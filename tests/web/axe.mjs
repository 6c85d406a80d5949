// SPDX-License-Identifier: MIT
// axe-core, which looks for obstacles to people who use a page otherwise than with eyes and a mouse. It comes from npm, by version and digest, into
// BUILD/web/axe. Where it cannot be fetched, the pages are not looked at in this way, and a word says so.
import {execFileSync} from "node:child_process";
import {createHash} from "node:crypto";
import fs from "node:fs";
import path from "node:path";

const VERSION = "4.14.0";
const SHA512 = "9WTZxEjsZ7b13TH8JPmbV2z8CHbl80/2hm3XPEG4JgNdQLK81IBRXmSxHfMAOkSqQeRxT/0dwNDz2GOm3zzpcQ==";

// The text of axe, or null where there is none. A package of another digest is an error.
export function axe(build) {
  const folder = path.join(build, "web/axe"), packed = path.join(folder, `axe-core-${VERSION}.tgz`);
  fs.mkdirSync(folder, {recursive: true});
  if (!fs.existsSync(packed)) {
    try {
      execFileSync("npm", ["pack", "--silent", `axe-core@${VERSION}`], {cwd: folder, stdio: ["ignore", "ignore", "pipe"], timeout: 120000});
    } catch {
      console.log(`axe: axe-core ${VERSION} cannot be fetched from npm: accessibility is not checked`);
      return null;
    }
  }
  const found = createHash("sha512").update(fs.readFileSync(packed)).digest("base64");
  if (found !== SHA512) throw new Error(`${packed}: sha512 ${found}, expected ${SHA512}`);
  return execFileSync("tar", ["-xzOf", packed, "package/axe.min.js"], {maxBuffer: 1 << 24}).toString();
}

// Returns one sentence for each obstacle on the page. All rules of WCAG 2.2, A and AA, and axe's best practices.
export async function obstacles(page, text) {
  await page.value(text + "; undefined");
  const {violations} = await page.value(`axe.run(document, {resultTypes: ["violations"]}).then((r) => ({violations: r.violations.map((v) =>
    ({id: v.id, impact: v.impact, help: v.help, where: v.nodes.map((n) => n.target.join(" ") + " " + n.any.concat(n.all).map((c) => c.message).join("; "))}))}))`);
  return violations.map((v) => `${v.impact}: ${v.id}: ${v.help}: ${v.where.slice(0, 3).join(" | ")}`);
}
