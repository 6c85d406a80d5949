// SPDX-License-Identifier: MIT
// The few calls of WASI that the module makes: arguments, a clock, standard streams, random bytes, and files that are only in memory.
// There is no network, no storage and no other process behind it. The worker of the pages, the tests and the package for node share it.
"use strict";

class Exit {
  constructor(status) { this.status = status; }
}

// files: {name: Uint8Array}, seen by the module in its root folder. environment: ["NAME=VALUE", ...].
function wasi(args, files, environment, written) {
  const SUCCESS = 0, BADF = 8, NOENT = 44, NOSYS = 52, SPIPE = 70, ROOT = 3, FIRST = 4;
  const encoder = new TextEncoder(), decoder = new TextDecoder();
  const open = new Map();
  let memory = null, next = FIRST;
  const view = () => new DataView(memory.buffer);
  const bytes = () => new Uint8Array(memory.buffer);

  function putList(list, pointers, at) {
    for (const item of list) {
      const encoded = encoder.encode(item + "\0");
      view().setUint32(pointers, at, true);
      bytes().set(encoded, at);
      pointers += 4;
      at += encoded.length;
    }
    return SUCCESS;
  }
  function putSizes(list, count, size) {
    view().setUint32(count, list.length, true);
    view().setUint32(size, list.reduce((sum, item) => sum + encoder.encode(item).length + 1, 0), true);
    return SUCCESS;
  }
  // Calls take(at, length) for each of the buffers until one is not filled; stores how many bytes that makes.
  function each(vectors, count, total, take) {
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const at = view().getUint32(vectors + 8 * i, true), length = view().getUint32(vectors + 8 * i + 4, true);
      const done = take(at, length);
      sum += done;
      if (done < length) break;
    }
    view().setUint32(total, sum, true);
    return SUCCESS;
  }
  function readAt(file, at, length) {
    const part = file.data.subarray(file.at, file.at + length);
    bytes().set(part, at);
    file.at += part.length;
    return part.length;
  }
  function stat(kind, size, at) {
    bytes().fill(0, at, at + 64);
    view().setUint8(at + 16, kind);
    view().setBigUint64(at + 24, 1n, true);
    view().setBigUint64(at + 32, BigInt(size), true);
    return SUCCESS;
  }
  function kindOf(fd) {
    return fd === ROOT ? 3 : fd <= 2 ? 2 : open.has(fd) ? 4 : 0;
  }
  const fileOf = (at, length) => Object.hasOwn(files, name(at, length)) ? files[name(at, length)] : undefined;
  const name = (at, length) => decoder.decode(bytes().slice(at, at + length)).replace(/^(\.?\/)+/, "");

  const calls = {
    args_get: (pointers, at) => putList(args, pointers, at),
    args_sizes_get: (count, size) => putSizes(args, count, size),
    environ_get: (pointers, at) => putList(environment, pointers, at),
    environ_sizes_get: (count, size) => putSizes(environment, count, size),
    clock_time_get: (clock, precision, at) => {
      const milliseconds = clock === 0 ? Date.now() : performance.now();
      view().setBigUint64(at, BigInt(Math.round(milliseconds * 1e6)), true);
      return SUCCESS;
    },
    fd_prestat_get: (fd, at) => {
      if (fd !== ROOT) return BADF;
      view().setUint8(at, 0);
      view().setUint32(at + 4, 1, true);
      return SUCCESS;
    },
    fd_prestat_dir_name: (fd, at) => {
      if (fd !== ROOT) return BADF;
      bytes()[at] = 47;
      return SUCCESS;
    },
    fd_fdstat_get: (fd, at) => {
      if (kindOf(fd) === 0) return BADF;
      bytes().fill(0, at, at + 24);
      view().setUint8(at, kindOf(fd));
      view().setBigUint64(at + 8, 0xffffffffffffffffn, true);
      view().setBigUint64(at + 16, 0xffffffffffffffffn, true);
      return SUCCESS;
    },
    fd_fdstat_set_flags: () => SUCCESS,
    fd_filestat_get: (fd, at) => kindOf(fd) === 0 ? BADF : stat(kindOf(fd), open.has(fd) ? open.get(fd).data.length : 0, at),
    path_filestat_get: (fd, flags, path, length, at) => {
      const data = fileOf(path, length);
      return data === undefined ? NOENT : stat(4, data.length, at);
    },
    path_open: (fd, look, path, length, flags, rights, inherited, state, at) => {
      const data = fileOf(path, length);
      if (data === undefined) return NOENT;
      open.set(next, {data, at: 0});
      view().setUint32(at, next++, true);
      return SUCCESS;
    },
    fd_read: (fd, vectors, count, total) => {
      if (fd === 0) return each(vectors, count, total, () => 0);
      if (!open.has(fd)) return BADF;
      return each(vectors, count, total, (at, length) => readAt(open.get(fd), at, length));
    },
    fd_seek: (fd, offset, whence, at) => {
      if (!open.has(fd)) return fd <= 2 ? SPIPE : BADF;
      const file = open.get(fd), base = [0, file.at, file.data.length][whence];
      file.at = Math.max(0, base + Number(offset));
      view().setBigUint64(at, BigInt(file.at), true);
      return SUCCESS;
    },
    fd_write: (fd, vectors, count, total) => {
      if (fd !== 1 && fd !== 2) return BADF;
      return each(vectors, count, total, (at, length) => {
        written[fd].push(bytes().slice(at, at + length));
        return length;
      });
    },
    fd_close: (fd) => { open.delete(fd); return SUCCESS; },
    fd_sync: () => SUCCESS,
    random_get: (at, length) => {
      for (let i = 0; i < length; i += 65536)
        crypto.getRandomValues(bytes().subarray(at + i, at + Math.min(length, i + 65536)));
      return SUCCESS;
    },
    sched_yield: () => SUCCESS,
    proc_exit: (status) => { throw new Exit(status); },
  };
  const missing = () => NOSYS;
  return {
    imports: {wasi_snapshot_preview1: new Proxy(calls, {get: (object, key) => object[key] || missing})},
    bind: (exported) => { memory = exported; },
  };
}

function joined(parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return new TextDecoder().decode(all);
}

// Runs one command of the module: {status, out, err}, as the command line would give them.
async function run(module, args, files = {}, seconds = 0) {
  const written = {1: [], 2: []};
  const layer = wasi(["probity", ...args], files, seconds > 0 ? ["PROBITY_SECONDS=" + seconds] : [], written);
  const instance = await WebAssembly.instantiate(module, layer.imports);
  let status = 0;
  layer.bind(instance.exports.memory);
  try {
    instance.exports._start();
  } catch (error) {
    if (error instanceof Exit) status = error.status;
    else if (error instanceof RangeError || error instanceof WebAssembly.RuntimeError)
      return {status: 3, out: "", err: joined(written[2]) || "probity: the module gave up: " + error.message + "\n"};
    else throw error;
  }
  return {status, out: joined(written[1]), err: joined(written[2])};
}
