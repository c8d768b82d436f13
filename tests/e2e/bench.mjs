// How long opening a log takes in Chromium, as a ratio to plain JavaScript on the same bytes: `cargo xtask bench`.
//
// The JavaScript pipeline streams the file, decodes it, splits it into lines, parses each with JSON.parse and keeps nothing.
// Ours reads, adapts, assembles and has the outline on the page. Both alternate in one page and the medians are compared, as
// no two runs of one machine are equally fast. A second yardstick is reading the file and dropping it.

import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { drop, generatedLog, open, workerMemory } from "./harness.mjs";
import { test } from "node:test";

const ROUNDS = Number(process.env.PALIMPSEST_BENCH_ROUNDS ?? 5);
const MB = 1e6;

const CASES = [
  { provider: "claude", shape: "normal", bytes: 100 * MB, toJavaScript: 0.7, kept: 0.6 },
  // More of a Codex log is text that is shown: outputs are said once, and half of its bytes are short of the preview limit.
  { provider: "codex", shape: "normal", bytes: 100 * MB, toJavaScript: 0.9, kept: 0.75 },
  { provider: "claude", shape: "bloat", bytes: 300 * MB, kept: 0.3 },
  { provider: "claude", shape: "giant", bytes: 27 * MB },
];

for (const { toJavaScript, kept, ...log } of CASES) {
  test(`${log.provider} ${log.shape}, ${log.bytes / MB} MB`, { timeout: 600_000 }, async (t) => {
    const path = generatedLog(log);
    const page = await open(t);
    await addInput(page);
    await drop(page, "body", [generatedLog({ ...log, shape: "normal", bytes: 2 * MB })]);
    await opened(page, 0);
    const cold = await ours(page, path);
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.push({ javascript: await javascript(page, path), drop: await readAndDrop(page, path), ours: await ours(page, path) });
    }
    const median = (of) => rounds.map(of).sort((a, b) => a - b)[Math.floor(rounds.length / 2)];
    const [js, read, us] = [median((r) => r.javascript), median((r) => r.drop), median((r) => r.ours.ready)];
    const memory = await workerMemory(page);
    const size = statSync(path).size;
    const ratio = us / js;
    const share = (memory - EMPTY_WORKER) / size;
    const say = (name, value) => t.diagnostic(`${name.padEnd(34)} ${value}`);
    say("plain JavaScript", `${js.toFixed(0)} ms`);
    say("reading and dropping", `${read.toFixed(0)} ms`);
    say("ours, first messages painted", `${median((r) => r.ours.first).toFixed(0)} ms`);
    say("ours, whole session ready", `${us.toFixed(0)} ms (cold ${cold.ready.toFixed(0)} ms)`);
    say("ours / plain JavaScript", ratio.toFixed(2) + (toJavaScript ? ` (at most ${toJavaScript})` : ""));
    say("ours / reading and dropping", (us / read).toFixed(2));
    say("worker memory kept / file", share.toFixed(2) + (kept ? ` (at most ${kept})` : ""));
    if (toJavaScript) assert.ok(ratio <= toJavaScript, `ours / plain JavaScript is ${ratio.toFixed(2)}`);
    if (kept) assert.ok(share <= kept, `memory / file is ${share.toFixed(2)}`);
  });
}

// A worker that has read nothing: code, stacks and tables.
const EMPTY_WORKER = 1.5 * MB;

/** Opens the log in the page and says how long it took, from the drop, in milliseconds. */
async function ours(page, path) {
  const before = await page.evaluate(() => performance.now());
  await drop(page, "body", [path]);
  return opened(page, before);
}

async function opened(page, before) {
  const isReady = (time) =>
    ["first-row", "ready"].every((name) => performance.getEntriesByName(name).some((mark) => mark.startTime > time));
  await page.waitForFunction(isReady, before, { timeout: 120_000 });
  return page.evaluate(() => {
    const last = (name) => performance.getEntriesByName(name).at(-1).startTime;
    return { ready: last("ready") - last("drop"), first: last("first-row") - last("drop") };
  });
}

/** A file input of the bench's own: the baselines read the very file that the page opens. */
async function addInput(page) {
  await page.evaluate(() => {
    const input = document.createElement("input");
    input.type = "file";
    input.id = "bench-input";
    input.hidden = true;
    document.documentElement.append(input);
  });
}

async function javascript(page, path) {
  await page.setInputFiles("#bench-input", path);
  return page.evaluate(async () => {
    const start = performance.now();
    let rest = "";
    let lines = 0;
    const parse = (line) => {
      if (line) {
        JSON.parse(line);
        lines += 1;
      }
    };
    for await (const text of document.querySelector("#bench-input").files[0].stream().pipeThrough(new TextDecoderStream())) {
      const pieces = (rest + text).split("\n");
      rest = pieces.pop();
      pieces.forEach(parse);
    }
    parse(rest);
    if (!lines) throw new Error("nothing was parsed");
    return performance.now() - start;
  });
}

async function readAndDrop(page, path) {
  await page.setInputFiles("#bench-input", path);
  return page.evaluate(async () => {
    const start = performance.now();
    for await (const bytes of document.querySelector("#bench-input").files[0].stream()) void bytes;
    return performance.now() - start;
  });
}
