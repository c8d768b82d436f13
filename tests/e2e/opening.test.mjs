// Opening logs: by drop, by button, whole folders, and what is no log.

import assert from "node:assert/strict";
import { test } from "node:test";
import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assertQuiet, drop, endWorker, generatedLog, open } from "./harness.mjs";
import { Claude, file, folder, jsonl, zstd } from "./logs.mjs";

const feed = (page) => page.getByRole("feed", { name: "Transcript" });
const article = (page, text) => feed(page).getByRole("article").filter({ hasText: text });

function session(id = "session-1", topic = "the gate") {
  return new Claude(id).prompt(`fix ${topic}`).answer(`I fixed ${topic}.`);
}

// Chromium gives the debugger's drops no right to list a folder, so folders come by their button here.
async function openFolder(page, root) {
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: "Open folder" }).click()]);
  await chooser.setFiles(root);
}

test("a file dropped anywhere on the window is read, and nothing is sent", async (t) => {
  const page = await open(t);
  // The worker that will read is started with the page.
  await page.waitForLoadState("networkidle");
  const asked = page.seen.requests.length;
  await drop(page, "body", [session().write()]);
  await article(page, "I fixed the gate.").waitFor();
  await article(page, "fix the gate").first().waitFor();
  assert.match(await page.title(), /fix the gate/);
  await page.keyboard.press("j");
  await page.keyboard.press("r");
  await page.getByRole("dialog").getByText(/"uuid"/).first().waitFor();
  assert.deepEqual(page.seen.requests.slice(asked), []);

  // Another log has a worker of its own: the page's own files start it, and nothing else is asked for.
  await page.keyboard.press("Escape");
  await drop(page, "body", [session("s2", "the well").write()]);
  await article(page, "I fixed the well.").waitFor();
  const own = /\/worker[^/]*\.js$/;
  assert.deepEqual(page.seen.requests.slice(asked).filter((url) => !own.test(new URL(url).pathname)), []);
  assertQuiet(page);
});

test("reading can be stopped; the page says how much is missing", async (t) => {
  const page = await open(t);
  await page.evaluate(() => {
    const stop = () => [...document.querySelectorAll("button")].find((button) => button.textContent === "Stop");
    const watch = new MutationObserver(() => {
      if (!stop()) return;
      watch.disconnect();
      stop().click();
    });
    watch.observe(document.body, { childList: true, subtree: true });
  });
  await drop(page, "body", [generatedLog({ bytes: 50e6 })]);
  await page.getByText(/Reading was stopped: this is the first \d+ % of the log\./).waitFor();
  assert.ok((await feed(page).getByRole("article").count()) > 0, "what was read is there");
  assertQuiet(page);
});

test("a compressed log that is torn shows what comes before, and its lines", async (t) => {
  const log = session();
  for (let number = 1; number <= 800; number += 1) log.prompt(`ask ${number}`).answer(`answer ${number}`);
  const packed = zstd(log.bytes());
  const page = await open(t);
  await drop(page, "body", [file("rollout.jsonl.zst", packed.subarray(0, packed.length - 50_000))]);
  await page.getByText(/rollout\.jsonl\.zst: the zstd file is damaged.*what comes before is read/).waitFor();
  await article(page, "I fixed the gate.").waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("r");
  await page.getByRole("dialog").getByText(/"fix the gate"/).first().waitFor();
  assertQuiet(page);
});

test("the button opens files, the other one a folder", async (t) => {
  const page = await open(t);
  const [files] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: "Open files" }).click()]);
  await files.setFiles(session().write());
  await article(page, "I fixed the gate.").waitFor();

  const other = await open(t);
  const root = folder({ "logs/one.jsonl": session("one", "the fence").bytes() });
  await openFolder(other, root);
  await article(other, "I fixed the fence.").waitFor();
});

test("a folder with one session and its subagent is one session", async (t) => {
  const main = new Claude("s1").prompt("ask a helper");
  main.call("toolu_1", "Task", { description: "count", prompt: "count the jars", subagent_type: "counter" });
  main.result("toolu_1", "Seven jars.");
  main.lines.at(-1).toolUseResult = { agentId: "a1", status: "completed", totalDurationMs: 4000, totalTokens: 900 };
  main.answer("There are seven.");
  const agent = new Claude("s1");
  agent.prompt("count the jars", { isSidechain: true, agentId: "a1", uuid: "a-1" });
  agent.answer("Seven jars.", { isSidechain: true, agentId: "a1", uuid: "a-2" });
  const root = folder({ "p/s1.jsonl": main.bytes(), "p/s1/subagents/agent-a1.jsonl": agent.bytes(), "p/notes.txt": "not a log\n" });
  const page = await open(t);
  await openFolder(page, root);
  await article(page, "There are seven.").waitFor();
  const call = feed(page).getByRole("button", { name: /Task/ }).first();
  await call.waitFor();
  await feed(page).getByRole("button", { name: /counter/ }).first().click();
  await feed(page).getByText("Seven jars.").first().waitFor();
  assertQuiet(page);
});

test("a folder with several sessions lets the person choose", async (t) => {
  const root = folder({ "p/one.jsonl": session("one", "the fence").bytes(), "p/two.jsonl": session("two", "the well").bytes() });
  const page = await open(t);
  await openFolder(page, root);
  await page.getByRole("button", { name: /two\.jsonl/ }).click();
  await article(page, "I fixed the well.").waitFor();
  await page.getByRole("button", { name: "All sessions (2)" }).click();
  await page.getByRole("button", { name: /one\.jsonl/ }).click();
  await article(page, "I fixed the fence.").waitFor();
});

test("the list of sessions is behind the first screen, by a button and by the history", async (t) => {
  const root = folder({ "p/one.jsonl": session("one", "the fence").bytes(), "p/two.jsonl": session("two", "the well").bytes() });
  const page = await open(t);
  await openFolder(page, root);
  const two = page.getByRole("button", { name: /two\.jsonl/ });
  await two.waitFor();
  await page.goBack();
  await page.getByRole("button", { name: "Open files" }).waitFor();
  await page.goForward();
  await two.waitFor();
  await page.getByRole("button", { name: "Back" }).click();
  await page.getByRole("button", { name: "Back to 2 sessions" }).click();
  await two.click();
  await article(page, "I fixed the well.").waitFor();
  assertQuiet(page);
});

test("a log that cannot be unpacked is named beside those that can", async (t) => {
  const broken = Buffer.concat([zstd(Buffer.from("x")).subarray(0, 4), Buffer.from("no frame at all")]);
  const root = folder({ "p/one.jsonl": session().bytes(), "p/two.jsonl.zst": broken, "p/notes.txt": "not a log\n" });
  const page = await open(t);
  await openFolder(page, root);
  await article(page, "I fixed the gate.").waitFor();
  await page.getByText(/Left out: .*two\.jsonl\.zst: the zstd file is damaged/).waitFor();
  assert.equal(await page.getByText(/notes\.txt/).count(), 0);
  assertQuiet(page);
});

test("what is no log is named in one sentence, and the way on is there", async (t) => {
  const empty = mkdtempSync(join(tmpdir(), "palimpsest-"));
  mkdirSync(join(empty, "nothing"));
  const cases = [
    [file("photo.jsonl", Buffer.from("\x89PNG\r\n\x1a\n\0\0\0", "latin1")), /looks like a PNG image/],
    [file("app.jsonl", jsonl([{ level: "info", msg: "up" }])), /no known product writes logs like this.*level, msg/],
    [file("empty.jsonl", ""), /empty/],
    [file("noise.bin", Buffer.alloc(5000, 3)), /binary data/],
    [join(empty, "nothing"), /no file in it/i],
  ];
  for (const [path, sentence] of cases) {
    const page = await open(t);
    await drop(page, "body", [path]);
    const card = page.getByRole("alert");
    await card.waitFor();
    assert.match(await card.innerText(), sentence);
    await drop(page, "body", [session().write()]);
    await article(page, "I fixed the gate.").waitFor();
    await page.context().close();
  }
});

test("damage costs exactly its line", async (t) => {
  const whole = session();
  whole.prompt("and paint it").answer("Painted.");
  const lines = jsonl(whole.lines).toString().trimEnd().split("\n");
  const stray = Buffer.concat([Buffer.from(lines[3].replace("Painted.", "Painted@.").split("@")[0]), Buffer.from([0xff]), Buffer.from(".".concat(lines[3].split("Painted.")[1]))]);
  const cases = [
    ["a torn tail", [...lines, lines[1].slice(0, 200)], 5, 1],
    ["a garbage line", [lines[0], lines[1], "%&/()=", lines[2], lines[3]], 5, 1],
    ["NUL runs", [lines[0], lines[1], Buffer.alloc(300), lines[2], lines[3]], 4, 0],
    ["a byte order mark and CRLF", [`\ufeff${lines[0]}\r`, `${lines[1]}\r`, "\r", `${lines[2]}\r`, `${lines[3]}\r`], 4, 0],
    ["a lone surrogate", [lines[0], lines[1], lines[2], lines[3].replace("Painted.", "Painted\\ud83d.")], 4, 0],
    ["invalid UTF-8", [lines[0], lines[1], lines[2], stray], 4, 0],
    ["a raw line separator", [lines[0], lines[1], lines[2], lines[3].replace("Painted.", "Painted\u2028.")], 4, 0],
  ];
  for (const [name, content, read, damaged] of cases) {
    const page = await open(t);
    await drop(page, "body", [file("damaged.jsonl", jsonl(content))]);
    await article(page, "Painted").last().waitFor();
    assert.equal(await feed(page).getByRole("article").count(), 4, name);
    const receipt = page.getByRole("button", { name: /lines? read/ });
    assert.match(await receipt.innerText(), new RegExp(`^${read} lines read${damaged ? ` · ${damaged} not understood` : ""}`), name);
    assertQuiet(page);
    await page.context().close();
  }
});

test("a line of 30 MB opens", { timeout: 120_000 }, async (t) => {
  const log = session().call("toolu_1", "Read", { file_path: "big.txt" });
  log.result("toolu_1", "x".repeat(30_000_000));
  log.answer("That was long.");
  const page = await open(t);
  await drop(page, "body", [log.write()]);
  await article(page, "That was long.").waitFor({ timeout: 60_000 });
  const largest = await feed(page).evaluate((list) => Math.max(...[...list.querySelectorAll("[role=article], article")].map((row) => row.outerHTML.length)));
  assert.ok(largest < 64 * 1024, `the largest row is ${largest} bytes`);
  assertQuiet(page);
});

test("a worker that ends is said, and the log can be opened again", async (t) => {
  const page = await open(t);
  await drop(page, "body", [generatedLog({ bytes: 5e6 })]);
  await feed(page).getByRole("article").first().waitFor();
  await endWorker(page);
  const card = page.getByRole("alert");
  await card.waitFor();
  await card.getByRole("button", { name: /Open .*again/ }).click();
  await feed(page).getByRole("article").first().waitFor();
});
