// Archives, and the list of the sessions in them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { assertQuiet, axe, drop, open } from "./harness.mjs";
import { Claude, file, zip } from "./logs.mjs";

const feed = (page) => page.getByRole("feed", { name: "Transcript" });
const article = (page, text) => feed(page).getByRole("article").filter({ hasText: text });
const listed = (page) => page.locator(".choices li");

function session(id, topic) {
  return new Claude(id).prompt(`fix ${topic}`).answer(`I fixed ${topic}.`);
}

/** 500 sessions, the last one the newest, each a few screens long. */
function many(count = 500) {
  const files = [];
  for (let number = 1; number <= count; number += 1) {
    const log = new Claude(`session-${number}`);
    log.time += number * 3_600_000;
    log.prompt(`task number ${number}`);
    for (let turn = 0; turn < 40; turn += 1) {
      log.call(`toolu_${turn}`, "Bash", { command: `step ${turn}` }).result(`toolu_${turn}`, `${turn} done. `.repeat(60));
    }
    files.push([`work/project-${number % 7}/session-${number}.jsonl`, log.answer(`done with ${number}`).bytes()]);
  }
  return zip(files);
}

test("a zip of 500 sessions lists within five seconds, and opens any of them", { timeout: 120_000 }, async (t) => {
  const page = await open(t);
  const path = file("work.zip", many());
  await page.waitForLoadState("networkidle");
  const start = Date.now();
  await drop(page, "body", [path]);
  await page.getByText("500 sessions found").waitFor();
  await listed(page).nth(499).waitFor();
  const took = Date.now() - start;
  t.diagnostic(`listed in ${took} ms`);
  assert.ok(took < 5_000, `it took ${took} ms`);
  // All is known soon after.
  await page.getByText("Choose the one to read.", { exact: true }).waitFor({ timeout: 30_000 });
  t.diagnostic(`looked through in ${Date.now() - start} ms`);
  assert.match(await listed(page).first().innerText(), /task number 500/);
  await listed(page).nth(321).getByRole("button").click();
  await article(page, "task number 179").first().waitFor();
  assertQuiet(page);
});

test("the list sorts, filters and keeps its place", async (t) => {
  const page = await open(t);
  await drop(page, "body", [file("work.zip", many(60))]);
  await page.getByText("Choose the one to read.", { exact: true }).waitFor();
  assert.match(await listed(page).first().innerText(), /task number 60\s+Claude Code · \d+ messages · [\d.]+ KB/);
  await page.getByRole("button", { name: "Newest" }).click();
  await page.getByRole("button", { name: "Oldest" }).waitFor();
  assert.match(await listed(page).first().innerText(), /task number 1\b/);
  await page.getByRole("searchbox").fill("project-3 claude");
  assert.equal(await listed(page).count(), 9);
  await page.getByRole("searchbox").fill("nothing like it");
  await page.getByText("None fits the filter.").waitFor();
  await page.getByRole("searchbox").fill("");

  await listed(page).nth(40).scrollIntoViewIfNeeded();
  const place = await page.evaluate(() => scrollY);
  assert.ok(place > 0, "the list is scrolled");
  await listed(page).nth(40).getByRole("button").click();
  await article(page, "task number 41").first().waitFor();
  await page.getByRole("button", { name: "All sessions (60)" }).click();
  await listed(page).nth(59).waitFor();
  await page.waitForFunction((wanted) => Math.abs(scrollY - wanted) < 2, place);
  await page.getByRole("button", { name: "Oldest" }).waitFor();
  assertQuiet(page);
});

test("archives in archives, and compressed files of several members, are read", async (t) => {
  const one = session("one", "the fence").bytes();
  const half = one.indexOf("\n") + 1;
  const members = Buffer.concat([gzipSync(one.subarray(0, half)), gzipSync(one.subarray(half))]);
  const inner = zip([["two.jsonl", session("two", "the well").bytes()], ["notes.txt", Buffer.from("not a log")]]);
  const page = await open(t);
  await drop(page, "body", [file("all.zip", zip([["one.jsonl.gz", members], ["inner.zip", inner]]))]);
  await page.getByRole("button", { name: /all\.zip\/inner\.zip\/two\.jsonl/ }).waitFor();
  await page.getByRole("button", { name: /one\.jsonl\.gz/ }).click();
  await article(page, "I fixed the fence.").waitFor();
  assertQuiet(page);
});

test("an export of many conversations is a list of them", async (t) => {
  const conversation = (number) => ({
    title: `Talk ${number}`, create_time: 1772445600 + number, current_node: `a${number}`, conversation_id: `c${number}`,
    mapping: {
      root: { id: "root", message: null, parent: null, children: [`u${number}`] },
      [`u${number}`]: { id: `u${number}`, parent: "root", children: [`a${number}`], message: { id: `u${number}`, author: { role: "user" }, create_time: 1772445600 + number, content: { content_type: "text", parts: [`question ${number}`] }, metadata: {}, recipient: "all" } },
      [`a${number}`]: { id: `a${number}`, parent: `u${number}`, children: [], message: { id: `a${number}`, author: { role: "assistant" }, create_time: 1772445601 + number, content: { content_type: "text", parts: [`answer ${number}`] }, metadata: {}, recipient: "all" } },
    },
  });
  const page = await open(t);
  await drop(page, "body", [file("conversations.json", JSON.stringify([1, 2, 3].map(conversation)))]);
  await page.getByText("3 sessions found").waitFor();
  await page.getByRole("button", { name: /Talk 2/ }).click();
  await article(page, "answer 2").waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("r");
  await page.getByRole("dialog").getByText(/question 2/).first().waitFor();
  assertQuiet(page);
});

test("what cannot be unpacked is refused in one sentence, and memory stays flat", { timeout: 120_000 }, async (t) => {
  const zeros = Buffer.alloc(256 << 20);
  const text = session("one", "the gate").bytes();
  const whole = zip([["one.jsonl", text]]);
  const cases = [
    ["bomb.zip", zip([["zeros", zeros]]), /more than 200 times its size/],
    ["nested.zip", zip([["inner.zip", zip([["zeros", zeros]])]]), /more than 200 times its size/],
    ["bomb.gz", gzipSync(zeros), /more than 200 times its size/],
    ["torn.zip", whole.subarray(0, whole.length - 40), /damaged or cut off/],
    ["secret.zip", zip([["one.jsonl", text]], { flags: 1 }), /encrypted/],
    ["claim.zip", zip([["one.jsonl", text]], { size: 0xfffffff0 }), /more than 2 GiB/],
  ];
  const page = await open(t);
  const memory = () => page.evaluate(async () => (await performance.measureUserAgentSpecificMemory()).bytes);
  const before = await memory();
  for (const [name, bytes, sentence] of cases) {
    await drop(page, "body", [file(name, bytes)]);
    const card = page.getByRole("alert");
    await card.filter({ hasText: name }).waitFor();
    assert.match(await card.innerText(), sentence, name);
  }
  const more = (await memory()) - before;
  t.diagnostic(`${(more / 1e6).toFixed(1)} MB more`);
  assert.ok(more < 64e6, `${more} bytes more`);
  // And the page is as good as before.
  await drop(page, "body", [file("one.jsonl", text)]);
  await article(page, "I fixed the gate.").waitFor();
  assertQuiet(page);
});

test("text on the clipboard is read", async (t) => {
  const page = await open(t);
  await page.getByRole("button", { name: "Open files" }).waitFor();
  const paste = (text) => page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);
  await paste(session("one", "the gate").bytes().toString());
  await article(page, "I fixed the gate.").waitFor();
  await paste("Dear diary");
  await page.getByRole("alert").filter({ hasText: "pasted text" }).waitFor();
  assertQuiet(page);
});

test("the list is usable by everyone", async (t) => {
  for (const [width, theme] of [[1280, "light"], [320, "dark"]]) {
    const page = await open(t, { width, theme });
    await drop(page, "body", [file("work.zip", many(20))]);
    await page.getByText("Choose the one to read.", { exact: true }).waitFor();
    assert.deepEqual(await axe(page), []);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, `no sideways scrolling at ${width}`);
    await page.context().close();
  }
});
