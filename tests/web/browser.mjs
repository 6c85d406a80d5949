// SPDX-License-Identifier: MIT
// A headless Chromium, driven through its debugging pipe; no package of npm is needed.
import {spawn} from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

export async function browser() {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), "probity-web-"));
  const child = spawn(process.env.CHROMIUM || "chromium", ["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run",
    "--disable-background-networking", "--user-data-dir=" + profile, "about:blank"], {stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"]});
  const waiting = new Map(), listeners = [];
  let rest = "", id = 0;
  child.stdio[4].on("data", (data) => {
    rest += data;
    for (let end; (end = rest.indexOf("\0")) >= 0; rest = rest.slice(end + 1)) {
      const message = JSON.parse(rest.slice(0, end));
      if (message.id && waiting.has(message.id)) {
        waiting.get(message.id)(message);
        waiting.delete(message.id);
      } else {
        listeners.forEach((listener) => listener(message));
      }
    }
  });
  const send = (method, params = {}, sessionId = undefined) => new Promise((resolve, reject) => {
    waiting.set(++id, (m) => m.error ? reject(new Error(method + ": " + m.error.message)) : resolve(m.result));
    child.stdio[3].write(JSON.stringify({id, method, params, sessionId}) + "\0");
  });
  async function open(file, {width = 1200, height = 900, dark = false, scripts = true} = {}) {
    const {targetId} = await send("Target.createTarget", {url: "about:blank"});
    const {sessionId} = await send("Target.attachToTarget", {targetId, flatten: true});
    const page = new Page((method, params) => send(method, params, sessionId), sessionId, listeners);
    await page.begin({width, height, dark, scripts});
    await page.send("Page.navigate", {url: "file://" + path.resolve(file)});
    await page.loaded;
    return page;
  }
  async function close() {
    const ended = new Promise((resolve) => child.on("exit", resolve));
    await send("Browser.close").catch(() => {});
    await ended;
    fs.rmSync(profile, {recursive: true, force: true, maxRetries: 5});
  }
  return {open, close};
}

class Page {
  constructor(send, sessionId, listeners) {
    this.send = send;
    this.complaints = [];  // exceptions, violations of the policy, and requests other than for the page
    this.loaded = new Promise((resolve) => listeners.push((m) => {
      if (m.sessionId !== sessionId) return;
      if (m.method === "Page.loadEventFired") resolve();
      if (m.method === "Runtime.exceptionThrown") this.complaints.push(m.params.exceptionDetails.exception?.description || m.params.exceptionDetails.text);
      if (m.method === "Log.entryAdded" && m.params.entry.level === "error") this.complaints.push(m.params.entry.text);
      if (m.method === "Network.requestWillBeSent" && !/^(file|data|blob):/.test(m.params.request.url)) this.complaints.push("asked for " + m.params.request.url);
    }));
  }
  async begin({width, height, dark, scripts}) {
    for (const domain of ["Page", "Runtime", "Log", "Network"]) await this.send(domain + ".enable");
    await this.send("Emulation.setDeviceMetricsOverride", {width, height, deviceScaleFactor: 1, mobile: false});
    await this.send("Emulation.setEmulatedMedia", {features: [{name: "prefers-color-scheme", value: dark ? "dark" : "light"}]});
    if (!scripts) await this.send("Emulation.setScriptExecutionDisabled", {value: true});
  }
  async value(expression) {
    const {result, exceptionDetails} = await this.send("Runtime.evaluate", {expression, awaitPromise: true, returnByValue: true});
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description || exceptionDetails.text);
    return result.value;
  }
  // Waits until the expression is true.
  async until(expression, seconds = 120) {
    for (let end = Date.now() + 1000 * seconds; Date.now() < end;) {
      if (await this.value(`Boolean(${expression})`)) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`after ${seconds} s still not: ${expression}`);
  }
  // Drops files on an element, as from a folder: [{name, data}], data a Buffer.
  drop(selector, files) {
    const given = files.map((f) => [f.name, Buffer.from(f.data).toString("base64")]);
    return this.value(`(() => { const t = new DataTransfer();
      for (const [name, data] of ${JSON.stringify(given)}) t.items.add(new File([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))], name));
      document.querySelector(${JSON.stringify(selector)}).dispatchEvent(new DragEvent("drop", {dataTransfer: t, bubbles: true, cancelable: true})); })()`);
  }
  // Drops files that the page makes, for large ones: [{name, made}], made an expression of the parts of a File.
  dropMade(selector, files) {
    const parts = files.map((f) => `t.items.add(new File(${f.made}, ${JSON.stringify(f.name)}));`).join(" ");
    return this.value(`(() => { const t = new DataTransfer(); ${parts}
      document.querySelector(${JSON.stringify(selector)}).dispatchEvent(new DragEvent("drop", {dataTransfer: t, bubbles: true, cancelable: true})); })()`);
  }
  async key(key, code = key, text = undefined) {
    const keyCode = {Tab: 9, Enter: 13, ArrowRight: 39, ArrowLeft: 37, " ": 32}[key] || 0;
    await this.send("Input.dispatchKeyEvent", {type: text ? "keyDown" : "rawKeyDown", key, code, text, windowsVirtualKeyCode: keyCode});
    await this.send("Input.dispatchKeyEvent", {type: "keyUp", key, code, windowsVirtualKeyCode: keyCode});
  }
  async shot(file, whole = true) {
    const {cssContentSize: size} = await this.send("Page.getLayoutMetrics");
    const clip = whole ? {x: 0, y: 0, width: size.width, height: Math.min(size.height, 6000), scale: 1} : undefined;
    const {data} = await this.send("Page.captureScreenshot", {format: "png", clip, captureBeyondViewport: whole});
    fs.writeFileSync(file, Buffer.from(data, "base64"));
  }
}
