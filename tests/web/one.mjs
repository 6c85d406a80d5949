// SPDX-License-Identifier: MIT
// One command in the module, as on a command line: one.mjs MODULE ARGUMENTS... Each argument that names a file here is a file there.
import fs from "node:fs";
import {load} from "./module.mjs";

const [, , module, ...args] = process.argv;
const files = {};
for (const arg of args)
  if (fs.existsSync(arg) && fs.statSync(arg).isFile()) files[arg.replace(/^(\.?\/)+/, "")] = new Uint8Array(fs.readFileSync(arg));
const answer = await (await load(module))(args, files);
process.stdout.write(answer.out);
process.stderr.write(answer.err);
process.exitCode = answer.status;
