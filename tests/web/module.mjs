// SPDX-License-Identifier: MIT
// The module as the pages run it: wasi.js of src/web/page, here under node.
import fs from "node:fs";
import path from "node:path";
import vm from "node:vm";
import {fileURLToPath} from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const context = vm.createContext({TextEncoder, TextDecoder, WebAssembly, performance, crypto: globalThis.crypto, Date, RangeError});
vm.runInContext(fs.readFileSync(path.join(root, "src/web/page/wasi.js"), "utf8"), context);

// run(args, files, seconds): {status, out, err} of one command.
export async function load(file) {
  const module = await WebAssembly.compile(fs.readFileSync(file));
  return (args, files = {}, seconds = 0) => context.run(module, args, files, seconds);
}
