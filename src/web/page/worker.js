// SPDX-License-Identifier: MIT
// Runs commands in a thread of its own, so that the page stays alive and can end one that takes too long. wasi.js stands before it.
"use strict";
self.onmessage = async (event) => {
  const {id, module, args, files, seconds} = event.data;
  try {
    self.postMessage({id, ...(await run(module, args, files, seconds))});
  } catch (error) {
    self.postMessage({id, status: 3, out: "", err: "probity: " + error.message + "\n"});
  }
};
