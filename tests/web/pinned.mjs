// SPDX-License-Identifier: MIT
// Packages of npm that a test uses, by version and digest, in BUILD/web/FOLDER. Where one cannot be fetched, its test is left out with a word.
import {execFileSync} from "node:child_process";
import {createHash} from "node:crypto";
import fs from "node:fs";
import path from "node:path";

// Returns the path of the packed package, or null where there is none. A package of another digest is an error.
export function pinned(build, {folder, name, version, sha512, lost}) {
  const place = path.join(build, "web", folder), packed = path.join(place, `${name}-${version}.tgz`);
  fs.mkdirSync(place, {recursive: true});
  if (!fs.existsSync(packed)) {
    try {
      execFileSync("npm", ["pack", "--silent", `${name}@${version}`], {cwd: place, stdio: ["ignore", "ignore", "pipe"], timeout: 120000});
    } catch {
      console.log(`${folder}: ${name} ${version} cannot be fetched from npm: ${lost}`);
      return null;
    }
  }
  const found = createHash("sha512").update(fs.readFileSync(packed)).digest("base64");
  if (found !== sha512) throw new Error(`${packed}: sha512 ${found}, expected ${sha512}`);
  return packed;
}
