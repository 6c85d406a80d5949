// SPDX-License-Identifier: MIT
// axe-core, which looks for obstacles to people who use a page otherwise than with eyes and a mouse.
import {execFileSync} from "node:child_process";
import {pinned} from "./pinned.mjs";

const AXE = {folder: "axe", name: "axe-core", version: "4.14.0", lost: "accessibility is not checked",
  sha512: "9WTZxEjsZ7b13TH8JPmbV2z8CHbl80/2hm3XPEG4JgNdQLK81IBRXmSxHfMAOkSqQeRxT/0dwNDz2GOm3zzpcQ=="};

// The text of axe, or null where there is none.
export function axe(build) {
  const packed = pinned(build, AXE);
  return packed && execFileSync("tar", ["-xzOf", packed, "package/axe.min.js"], {maxBuffer: 1 << 24}).toString();
}

// Returns one sentence for each obstacle on the page. All rules of WCAG 2.2, A and AA, and axe's best practices.
export async function obstacles(page, text) {
  await page.value(text + "; undefined");
  const {violations} = await page.value(`axe.run(document, {resultTypes: ["violations"]}).then((r) => ({violations: r.violations.map((v) =>
    ({id: v.id, impact: v.impact, help: v.help, where: v.nodes.map((n) => n.target.join(" ") + " " + n.any.concat(n.all).map((c) => c.message).join("; "))}))}))`);
  return violations.map((v) => `${v.impact}: ${v.id}: ${v.help}: ${v.where.slice(0, 3).join(" | ")}`);
}
