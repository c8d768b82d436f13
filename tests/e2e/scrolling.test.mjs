// Long sessions: few nodes, no long task, and what is read does not move.

import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { test } from "node:test";
import { assertQuiet, drop, generatedLog, longTasks, open, ready, unfoldAll, workerMemory } from "./harness.mjs";
import { manyMessages } from "./logs.mjs";

const MOST_ARTICLES = 300;
const LONGEST_TASK = 200;
const FURTHEST_DRIFT = 2;
const MOST_BYTES = 64 * 1024;
const MOST_KEPT = 0.6;
const MOST_KEPT_OF_BLOAT = 0.3;

test("20,000 messages scroll from end to end", { timeout: 180_000 }, async (t) => {
  const page = await open(t);
  await drop(page, "body", [manyMessages(10_000).write()]);
  await ready(page);
  const from = await page.evaluate(() => performance.now());
  const seen = await page.evaluate(scrollThrough, 120);
  assert.ok(seen.most <= MOST_ARTICLES, `${seen.most} articles at once`);
  assert.equal(seen.setSize, 20_000);
  assert.equal(seen.last, 20_000, "the last message is reached");
  assert.ok(seen.drift <= FURTHEST_DRIFT, `what is read moved by ${seen.drift} px`);
  const tasks = await tasksFrom(page, from);
  assert.ok(Math.max(0, ...tasks) <= LONGEST_TASK, `tasks of ${tasks} ms`);
  t.diagnostic(`articles at once ${seen.most}, drift ${seen.drift.toFixed(2)} px, longest task ${Math.max(0, ...tasks)} ms`);
  assertQuiet(page);
});

test("a log of 50 MB can be scrolled while it is read", { timeout: 180_000 }, async (t) => {
  const page = await open(t);
  await page.evaluate(() => {
    globalThis.early = null;
    new MutationObserver(() => {
      if (globalThis.early === null && document.querySelector("article")) {
        globalThis.early = performance.getEntriesByName("ready").length === 0;
      }
    }).observe(document.documentElement, { childList: true, subtree: true });
  });
  await drop(page, "body", [generatedLog({ bytes: 50e6 })]);
  await page.locator("article").first().waitFor();
  const from = await page.evaluate(() => performance.now());
  for (let step = 0; step < 20; step += 1) {
    await page.mouse.move(640, 400);
    await page.mouse.wheel(0, 300);
    await page.waitForTimeout(20);
  }
  const place = () => page.evaluate(() => {
    const list = document.querySelector("[role=feed]").getBoundingClientRect();
    const rows = [...document.querySelectorAll("article")].map((row) => [row.dataset.key, row.getBoundingClientRect()]);
    return rows.find(([, box]) => box.bottom > Math.max(list.top, 0) + 150)?.[0];
  });
  const before = await place();
  await ready(page);
  await page.waitForTimeout(200);
  assert.equal(await place(), before, "the message in view is still in view when the log is read through");
  assert.equal(await page.evaluate(() => globalThis.early), true, "messages are on the page before the log is read through");
  const tasks = await tasksFrom(page, from);
  assert.ok(Math.max(0, ...tasks) <= LONGEST_TASK, `tasks of ${tasks} ms`);
  assertQuiet(page);
});

test("a log of 100 MB takes little memory", { timeout: 180_000 }, async (t) => {
  const page = await open(t);
  await page.waitForLoadState("networkidle");
  const before = await workerMemory(page);
  const path = generatedLog({ bytes: 100e6 });
  await drop(page, "body", [path]);
  await ready(page);
  const share = ((await workerMemory(page)) - before) / statSync(path).size;
  t.diagnostic(`the worker grew by ${share.toFixed(2)} of the file`);
  assert.ok(share <= MOST_KEPT, `the worker grew by ${share.toFixed(2)} of the file`);
  assertQuiet(page);
});

test("progress lines of 3 MB and a giant line open in little room", { timeout: 240_000 }, async (t) => {
  for (const log of [{ shape: "bloat", bytes: 150e6 }, { shape: "giant", bytes: 27e6 }]) {
    const page = await open(t);
    const path = generatedLog(log);
    await drop(page, "body", [path]);
    await ready(page);
    const share = (await workerMemory(page)) / statSync(path).size;
    if (log.shape === "bloat") assert.ok(share <= MOST_KEPT_OF_BLOAT, `the worker's memory is ${share.toFixed(2)} of the file`);
    const largest = await page.evaluate(scrollThrough, 40);
    assert.ok(largest.bytes < MOST_BYTES, `${log.shape}: a row of ${largest.bytes} bytes`);
    const feed = page.locator("[role=feed]");
    await unfoldAll(feed);
    const unfolded = await feed.evaluate((feed) => Math.max(...[...feed.querySelectorAll("article")].map((row) => row.outerHTML.length)));
    assert.ok(unfolded < MOST_BYTES, `${log.shape}, all unfolded: a row of ${unfolded} bytes`);
    t.diagnostic(`${log.shape}: worker memory ${share.toFixed(2)} of the file, largest row ${largest.bytes} bytes, ${unfolded} with everything unfolded`);
    assertQuiet(page);
    await page.context().close();
  }
});

/** Durations of the long tasks since a time, in milliseconds. */
async function tasksFrom(page, from) {
  return (await longTasks(page)).filter((task) => task.start >= from).map((task) => task.duration);
}

/** Runs in the page: scrolls from the first to the last message in steps and watches. */
async function scrollThrough(steps) {
  const list = document.querySelector("[role=feed]");
  const scroller = (function find(element) {
    for (let at = element; at; at = at.parentElement) {
      if (/auto|scroll/.test(getComputedStyle(at).overflowY) && at.scrollHeight > at.clientHeight + 1) return at;
    }
    return document.scrollingElement;
  })(list);
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const rows = () => [...list.querySelectorAll("article")];
  const top = scroller.getBoundingClientRect?.().top ?? 0;
  const eye = Math.max(top, 0) + 250;
  const seen = { most: 0, drift: 0, bytes: 0, setSize: 0, last: 0 };
  const look = () => {
    seen.most = Math.max(seen.most, rows().length);
    for (const row of rows()) {
      seen.bytes = Math.max(seen.bytes, row.outerHTML.length);
      seen.setSize = Number(row.getAttribute("aria-setsize"));
      seen.last = Math.max(seen.last, Number(row.getAttribute("aria-posinset")));
    }
  };
  for (let step = 0; step <= steps; step += 1) {
    scroller.scrollTop = ((scroller.scrollHeight - scroller.clientHeight) * step) / steps;
    await frame();
    await frame();
    // From here nothing scrolls: whatever is measured now must not move the row under the eye.
    const under = rows().find((row) => row.getBoundingClientRect().bottom > eye);
    const before = under?.getBoundingClientRect().top;
    for (let wait = 0; wait < 4; wait += 1) await frame();
    if (under?.isConnected) seen.drift = Math.max(seen.drift, Math.abs(under.getBoundingClientRect().top - before));
    look();
  }
  for (let wait = 0; wait < 10; wait += 1) {
    scroller.scrollTop = scroller.scrollHeight;
    await frame();
    look();
  }
  return seen;
}
