// What every browser journey stands on: our own server, a real Chromium, and a page that remembers all it did wrong.
//
//   test("a log opens", async (t) => {
//     const page = await open(t, { theme: "dark" });
//     await drop(page, "[data-drop]", [path]);
//     ...
//     assertQuiet(page);
//   });

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { accessSync, constants, existsSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** The binary under test. */
export const BINARY = process.env.PALIMPSEST_BIN ?? join(ROOT, "target/release/palimpsest");
const RESULTS = join(HERE, "test-results");

// Chromium asks the network for things of its own at every start, which would be noise in a journey about requests. Precise
// memory figures and a collector to call are for measuring.
const CHROMIUM_FLAGS = [
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-gpu",
  "--disable-quic",
  "--disable-sync",
  "--no-first-run",
  "--enable-precise-memory-info",
  "--js-flags=--expose-gc",
];

/** Opens the page at `path`, in a browser profile of its own. It closes with the test; a failed test leaves a picture. */
export async function open(t, { path = "", width = 1280, height = 800, theme = "light" } = {}) {
  const browser = await theBrowser();
  const { url } = await theServer();
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  page.seen = { errors: [], violations: [], requests: [] };
  await watch(page);
  t.after(async () => {
    if (t.passed === false) {
      mkdirSync(RESULTS, { recursive: true });
      const name = t.name.replace(/[^\w-]+/g, "-");
      await page.screenshot({ path: join(RESULTS, `${name}.png`), timeout: 5000 }).catch(() => {});
    }
    await context.close();
  });
  await page.goto(new URL(path, url).href);
  return page;
}

/** Opens every fold below `locator`, and those that opening brings. */
export async function unfoldAll(locator) {
  // Found and clicked in one step: a fold that is seen now may be drawn anew before a click from here reaches it.
  const openNext = (root) => {
    const folded = root.querySelector("[aria-expanded=false]");
    folded?.click();
    return folded !== null;
  };
  for (let more = 100; more > 0; more -= 1) {
    if (!(await locator.evaluate(openNext))) return;
    await locator.page().waitForTimeout(30);
  }
  assert.fail("folds stay closed");
}

/** Waits until the log that was dropped is read through. */
export async function ready(page) {
  await page.waitForFunction(() => performance.getEntriesByName("ready").length > 0, null, { timeout: 60_000 });
}

/** Asserts that nothing went wrong in the page, and that it asked no server but its own for anything. */
export function assertQuiet(page) {
  assert.deepEqual(page.seen.errors, [], "errors in the console");
  assert.deepEqual(page.seen.violations, [], "violations of the security policy");
  const own = new URL(page.url()).origin;
  const foreign = page.seen.requests.filter((url) => !url.startsWith(own) && !url.startsWith("blob:" + own));
  assert.deepEqual(foreign, [], "requests to other servers");
}

/** Drops files or folders of this machine on the middle of an element, as a person's file manager does. */
export async function drop(page, selector, paths) {
  const box = await page.locator(selector).first().boundingBox();
  assert.ok(box, `${selector} is on the screen`);
  const x = box.x + box.width / 2;
  const y = box.y + box.height / 2;
  // Without an item Chromium takes the drag for an empty one, whatever files there are.
  const items = paths.map(() => ({ mimeType: "text/plain", data: "" }));
  const data = { items, files: paths, dragOperationsMask: 1 };
  const session = await page.context().newCDPSession(page);
  for (const type of ["dragEnter", "dragOver", "drop"]) {
    await session.send("Input.dispatchDragEvent", { type, x, y, data });
  }
  await session.detach();
}

/** The page's tasks of over 50 ms so far, in milliseconds: `[{ start, duration }]`. */
export async function longTasks(page) {
  return page.evaluate(() => globalThis.longTasksSeen);
}

/** What axe-core finds wrong with the page as it is now: one line for each kind, with the elements. Empty is right. */
export async function axe(page) {
  const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  // Through the debugger, not as a script element: the page's policy forbids foreign scripts, and should.
  await page.evaluate(source);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document));
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => node.target).join(", ")}`);
}

/** Makes the page's worker fail as it does when its program panics: an error that nothing in it catches. */
export async function endWorker(page) {
  const worker = page.workers().at(-1);
  assert.ok(worker, "the page has a worker");
  await worker.evaluate(() => void setTimeout(() => { throw new WebAssembly.RuntimeError("unreachable"); }));
}

/** Bytes of linear memory of the page's worker. It only grows, so this is also the most it ever had. */
export async function workerMemory(page) {
  const worker = page.workers().at(-1);
  assert.ok(worker, "the page has a worker");
  // The program's start function answers a second call with what it exports.
  return worker.evaluate(async () => (await (await import("./worker.js")).default()).memory.buffer.byteLength);
}

/** The path of a log from our own generator, written once: `generatedLog({ provider: "claude", bytes: 5e7 })`. */
export function generatedLog({ provider = "claude", shape = "normal", bytes, seed = 1 }) {
  const folder = join(ROOT, "target/logs");
  const path = join(folder, `${provider}-${shape}-${bytes}-${seed}.jsonl`);
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true });
    const wanted = ["--provider", provider, "--shape", shape, "--bytes", bytes, "--seed", seed, "--output", path];
    execFileSync("cargo", ["xtask", "gen-log", ...wanted.map(String)], { cwd: ROOT, stdio: "pipe" });
  }
  return path;
}

async function watch(page) {
  const { errors, violations, requests } = page.seen;
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("request", (request) => requests.push(request.url()));
  page.on("requestfailed", (request) => errors.push(`${request.url()}: ${request.failure()?.errorText}`));
  await page.exposeFunction("reportViolation", (violation) => violations.push(violation));
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sample }) => {
      globalThis.reportViolation(`${violatedDirective}: ${blockedURI} ${sample}`.trim());
    });
    globalThis.longTasksSeen = [];
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) {
        globalThis.longTasksSeen.push({ start: startTime, duration });
      }
    }).observe({ type: "longtask", buffered: true });
  });
}

const running = {};

function theServer() {
  running.server ??= new Promise((resolve, reject) => {
    const server = spawn(BINARY, ["serve", "--port", "0"], { stdio: ["ignore", "pipe", "pipe"] });
    const words = [];
    server.stderr.on("data", (data) => words.push(data));
    server.on("error", reject);
    server.on("exit", (code) => reject(new Error(`${BINARY} serve ended with ${code}: ${words.join("")}`)));
    createInterface(server.stdout).once("line", (url) => resolve({ url, server }));
  });
  return running.server;
}

function theBrowser() {
  running.browser ??= chromium.launch({ executablePath: chromiumPath(), args: CHROMIUM_FLAGS });
  return running.browser;
}

function chromiumPath() {
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
  const folders = (process.env.PATH ?? "").split(delimiter);
  const candidates = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  const found = process.env.CHROMIUM ?? candidates.find(isExecutable);
  assert.ok(found, "there is no Chromium on the search path: set CHROMIUM to the path of one");
  return found;
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

after(async () => {
  const [browser, server] = await Promise.allSettled([running.browser, running.server]);
  await browser.value?.close();
  server.value?.server.kill();
});
